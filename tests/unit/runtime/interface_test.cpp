/// @file
/// The forms in which collectives can be called, each held to the call into given memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <numeric>

#include "algorithms/catalogue.hpp"
#include "unit/runtime/interface_ranks.hpp"

namespace tutti {
namespace {

using ::testing::HasSubstr;
using testing::on_ranks;
using testing::outcomes_of;
using testing::possible;

TEST_P(Interface, ResultsAreReturnedByCallsWithoutAnOutput) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const int me = comm.rank();
    const std::vector<int> two{me, -me};
    std::vector<int> twice;
    for (int rank = 0; rank < p; ++rank) twice.insert(twice.end(), {rank, -rank});
    EXPECT_EQ(comm.all_gather(two), twice);
    const int before = (me + p - 1) % p;
    EXPECT_EQ(comm.shift(two, 1), (std::vector<int>{before, -before}));
    EXPECT_EQ(comm.shift(me, 1 - p), before);
    EXPECT_EQ(comm.shift_v(some(me), 1), some(before));
    std::vector<int> mine(static_cast<std::size_t>(p), me);
    std::vector<int> everyone(static_cast<std::size_t>(p));
    std::iota(everyone.begin(), everyone.end(), 0);
    EXPECT_EQ(comm.all_to_all(mine), everyone);
    const int total = p * (p - 1) / 2;
    EXPECT_EQ(comm.all_reduce(two, sum), (std::vector<int>{total, -total}));
    EXPECT_EQ(comm.all_reduce(std::vector<int>{me}, sum), std::vector<int>{total});
    EXPECT_EQ(comm.scan(two, sum)[0], me * (me + 1) / 2);
    EXPECT_EQ(comm.exclusive_scan(two, sum),
              me == 0 ? std::vector<int>() : std::vector<int>({me * (me - 1) / 2, -me * (me - 1) / 2}));
    EXPECT_EQ(comm.exclusive_scan(me, sum).value_or(-1), me == 0 ? -1 : me * (me - 1) / 2);
    EXPECT_EQ(comm.reduce_scatter(everyone, sum), std::vector<int>{p * me});
    EXPECT_EQ(comm.reduce_scatter_v(all_of(p), counts_of_all(p), maximum), some(me));
    for (int root = 0; root < p; ++root) {
      const bool here = me == root;
      EXPECT_EQ(comm.gather(two, root), here ? twice : std::vector<int>());
      EXPECT_EQ(comm.gather(me, root), here ? everyone : std::vector<int>());
      EXPECT_EQ(comm.scatter(here ? twice : std::vector<int>(), root), two);
      EXPECT_EQ(comm.scatter<int>(here ? everyone : std::vector<int>(), root), me);
      EXPECT_EQ(comm.reduce(two, sum, root), here ? std::vector<int>({total, -total}) : std::vector<int>());
      EXPECT_EQ(comm.reduce(me, sum, root), here ? std::optional(total) : std::nullopt);
    }
  });
}

TEST_P(Interface, BroadcastReturnsOfATemporaryWhatTheRootHas) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    for (int root = 0; root < p; ++root) {
      const bool here = comm.rank() == root;
      EXPECT_EQ(comm.broadcast(here ? 7 + root : 0, root), 7 + root);
      EXPECT_EQ(comm.broadcast(here ? std::vector<int>{1, root, 3} : std::vector<int>{9}, root),
                (std::vector<int>{1, root, 3}));
      EXPECT_EQ(comm.broadcast(here ? std::string("text") : std::string(), root), "text");
    }
  });
}

/// Memory that faults when it is written.
class ConstantMemory {
 public:
  explicit ConstantMemory(std::span<const int> values)
      : size_(values.size()),
        memory_(mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    std::copy(values.begin(), values.end(), static_cast<int*>(memory_));
    mprotect(memory_, bytes(), PROT_READ);
  }
  ConstantMemory(const ConstantMemory&) = delete;
  ConstantMemory& operator=(const ConstantMemory&) = delete;
  ~ConstantMemory() { munmap(memory_, bytes()); }
  std::span<const int> values() const { return {static_cast<const int*>(memory_), size_}; }

 private:
  std::size_t bytes() const { return size_ * sizeof(int) + 1; }
  std::size_t size_;
  void* memory_;
};

// Some algorithms bring the root what it has sent.
TEST_P(Interface, TheRootOfABroadcastMayHaveConstantMemory) {
  const int p = GetParam();
  for (const Algorithm* algorithm : algorithms::algorithms_for(Collective::broadcast)) {
    on_ranks(p, [&](Communicator& comm) {
      for (const int count : {0, 1, 5, 1000, 50'000}) {
        for (int root = 0; root < p; root += 2) {
          std::vector<int> values(static_cast<std::size_t>(count));
          std::iota(values.begin(), values.end(), root);
          const CollectiveOptions options{.algorithm = algorithm->name};
          if (unmet_need(*algorithm, {.ranks = p, .count = count, .root = root})) continue;
          if (comm.rank() == root) {
            const ConstantMemory memory(values);
            comm.broadcast(memory.values(), root, options);
            comm.broadcast_async(memory.values(), root, options).wait();
          } else {
            for (int round = 0; round < 2; ++round) {
              std::vector<int> received(values.size(), -1);
              comm.broadcast(received, root, options);
              EXPECT_EQ(received, values) << algorithm->name;
            }
          }
        }
      }
    });
  }
}

TEST(InterfaceConst, IsForTheRootOfABroadcast) {
  on_ranks(2, [](Communicator& comm) {
    const std::vector<int> fixed(3, 7);
    std::vector<int> data(3);
    if (comm.rank() == 0) comm.broadcast(fixed);
    if (comm.rank() == 0) return;
    try {
      comm.broadcast(fixed);
      ADD_FAILURE() << "const elements are received into";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_THAT(error.what(), HasSubstr("the elements of rank 1 are const"));
    }
    comm.broadcast(data);
    EXPECT_EQ(data, fixed);
  });
}

TEST(InterfacePlans, SayWhyTheyAreAsTheyAre) {
  on_ranks(3, [](Communicator& comm) {
    std::vector<int> data(4, comm.rank());
    Plan sums = comm.plan_all_reduce(std::span(data), sum);
    EXPECT_THAT(sums.explanation(), HasSubstr("all-reduce of 4 elements over 3 ranks, in place (16B); "));
    EXPECT_THAT(sums.explanation(), HasSubstr("costs"));
    EXPECT_THAT(sums.explanation(), HasSubstr("\n" + std::string(sums.algorithm()) + " "));
    Plan named = comm.plan_all_reduce(std::span(data), sum, {.algorithm = "ring"});
    EXPECT_THAT(named.explanation(), HasSubstr("ring is what the call names"));
    const std::vector<int> counts(3, 1);
    std::vector<int> from(3), into(3);
    Plan blocks = comm.plan_all_to_all_v(std::span<const int>(from), std::span(into), counts, counts);
    EXPECT_THAT(blocks.explanation(), HasSubstr("all-to-all of"));
    Plan passed_on =
        comm.plan_all_to_all_v(std::span<const int>(from), std::span(into), counts, counts, {.algorithm = "ring"});
    EXPECT_THAT(passed_on.explanation(), HasSubstr("chosen at each start, once the counts have travelled"));
    passed_on.run();
    EXPECT_THAT(passed_on.explanation(), HasSubstr("all-to-all of"));
  });
}

TEST(InterfaceOptions, NeedNothingBeforeThem) {
  on_ranks(3, [](Communicator& comm) {
    std::vector<int> data(12);
    std::vector<int> part(4);
    const CollectiveOptions linear{.algorithm = "linear"};
    EXPECT_EQ(comm.broadcast_async(data, {.algorithm = "ring"}).algorithm(), "ring");
    EXPECT_EQ(comm.reduce_async(data, sum, {.algorithm = "linear"}).algorithm(), "linear");
    EXPECT_EQ(comm.scatter_async(data, part, {.algorithm = "linear"}).algorithm(), "linear");
    EXPECT_EQ(comm.gather_async(part, data, linear).algorithm(), "linear");
    EXPECT_EQ(comm.gather_v_async(part, data, std::vector<int>(3, 4), linear).algorithm(), "linear");
    EXPECT_EQ(comm.plan_scatter_v(data, part, {4, 4, 4}, {.algorithm = "linear"}).algorithm(), "linear");
    comm.wait_all();
    EXPECT_EQ(comm.gather(comm.rank(), linear).size(), comm.rank() == 0 ? 3U : 0U);
    EXPECT_EQ(comm.reduce(1, sum, linear).value_or(3), 3);
  });
}

// ---- Operators

template <typename T>
void expect_built_in(const auto& standard, const auto& own) {
  const detail::Operator theirs = detail::operator_for<T>(standard);
  const detail::Operator ours = detail::operator_for<T>(own);
  EXPECT_EQ(theirs.kernel, ours.kernel);
  EXPECT_EQ(theirs.identity, ours.identity);
  EXPECT_EQ(theirs.state, nullptr);
  EXPECT_TRUE(theirs.commutative);
}

TEST(InterfaceOperators, FunctionObjectsOfTheStandardLibraryAreTheBuiltInOnes) {
  expect_built_in<int>(std::plus<>(), sum);
  expect_built_in<double>(std::plus<double>(), sum);
  expect_built_in<float16>(std::plus<>(), sum);
  expect_built_in<std::complex<float>>(std::multiplies<>(), product);
  expect_built_in<std::uint8_t>(std::bit_and<>(), bitwise_and);
  expect_built_in<std::int64_t>(std::bit_or<std::int64_t>(), bitwise_or);
  expect_built_in<unsigned>(std::bit_xor<>(), bitwise_xor);
  expect_built_in<bool>(std::logical_and<>(), logical_and);
  expect_built_in<int>(std::logical_or<>(), logical_or);
  expect_built_in<float>(std::ranges::min, minimum);
  expect_built_in<short>(std::ranges::max, maximum);
}

struct Word {
  int letters;
  friend Word operator+(const Word& a, const Word& b) { return {10 * a.letters + b.letters}; }
};

TEST(InterfaceOperators, OthersStayWhatTheyAre) {
  // Sums of doubles, rounded to int: not the sum of ints for the library to take.
  EXPECT_NE(detail::operator_for<int>(std::plus<double>()).state, nullptr);
  EXPECT_TRUE(detail::operator_for<int>(std::plus<double>()).commutative);
  EXPECT_NE(detail::operator_for<Word>(std::plus<>()).state, nullptr);
  EXPECT_FALSE(detail::operator_for<Word>(std::plus<>()).commutative);
  EXPECT_TRUE(detail::operator_for<Word>(commutative(std::plus<>())).commutative);
}

TEST(InterfaceOperators, MeetTheBuiltInOnes) {
  on_ranks(3, [](Communicator& comm) {
    const int value = comm.rank() + 1;
    EXPECT_EQ(comm.rank() == 0 ? comm.all_reduce(value, std::plus<>()) : comm.all_reduce(value, sum), 6);
    EXPECT_EQ(comm.all_reduce(value, std::ranges::max), 3);
    // A struct's own operator keeps the order of ranks.
    EXPECT_EQ(comm.all_reduce(Word{value}, std::plus<>()).letters, 123);
  });
}

// ---- Structs

struct Particle {
  std::array<double, 3> position;
  int kind;
};

TEST_P(Interface, StructsAreElements) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const auto particle = [](int rank) { return Particle{{1.0 * rank, 2.0, 3.0}, rank}; };
    const Particle mine = particle(comm.rank());
    const std::vector<Particle> all = comm.all_gather(mine);
    for (int rank = 0; rank < p; ++rank)
      EXPECT_EQ(all[static_cast<std::size_t>(rank)].position, particle(rank).position);
    EXPECT_EQ(comm.all_to_all(std::vector<Particle>(static_cast<std::size_t>(p), mine)).back().kind, p - 1);
    EXPECT_EQ(comm.broadcast(particle(comm.rank()), p - 1).kind, p - 1);
    const auto farther = [](const Particle& a, const Particle& b) { return a.position[0] < b.position[0] ? b : a; };
    EXPECT_EQ(comm.all_reduce(mine, commutative(farther)).kind, p - 1);
    EXPECT_EQ(comm.send_receive(mine, (comm.rank() + 1) % p, (comm.rank() + p - 1) % p).kind,
              (comm.rank() + p - 1) % p);
    EXPECT_EQ(comm.gather_v(std::vector<Particle>(static_cast<std::size_t>(comm.rank()), mine)).elements.size(),
              comm.rank() == 0 ? static_cast<std::size_t>(p * (p - 1) / 2) : 0U);
  });
}

// ---- Exchanges

// A ring of send and then receive would wait for ever.
TEST_P(Interface, ARingOfSendReceiveMoves) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const int to = (comm.rank() + 1) % p;
    const int from = (comm.rank() + p - 1) % p;
    for (const int count : {0, 1, 100, 300'000}) {
      const std::vector<int> mine(static_cast<std::size_t>(count), comm.rank());
      const std::vector<int> expected(mine.size(), from);
      std::vector<int> theirs(mine.size());
      comm.send_receive(mine, to, theirs, from);
      EXPECT_EQ(theirs, expected);
      std::fill(theirs.begin(), theirs.end(), -1);
      Handle both = comm.send_receive_async(mine, to, theirs, from);
      both.wait();
      EXPECT_EQ(theirs, expected);
      EXPECT_TRUE(both.test());
      EXPECT_EQ(comm.send_receive(mine, to, from), expected);
    }
    EXPECT_EQ(comm.send_receive(comm.rank(), to, from), from);
    int theirs = -1;
    comm.send_receive(1.5 * comm.rank(), to, from);
    comm.send_receive(comm.rank(), to, theirs, from);
    EXPECT_EQ(theirs, from);
  });
}

TEST(InterfaceExchange, OfDifferentLengthsAndTypes) {
  on_ranks(2, [](Communicator& comm) {
    const std::vector<double> reals(3, 1.5);
    const std::vector<int> integers(5, 7);
    if (comm.rank() == 0) {
      std::vector<int> received(5);
      comm.send_receive(reals, 1, received, 1);
      EXPECT_EQ(received, integers);
    } else {
      std::vector<double> received(3);
      comm.send_receive(integers, 0, received, 0);
      EXPECT_EQ(received, reals);
    }
  });
}

TEST(InterfaceExchange, WithoutACounterpartIsTold) {
  for (const auto& outcome : outcomes_of(2, [](Communicator& comm) {
         if (comm.rank() == 0) comm.send_receive(1, 1, 1);
         if (comm.rank() == 1) comm.receive<int>(0);
         comm.barrier();
       })) {
    EXPECT_EQ(outcome.code, ErrorCode::timeout) << outcome.message;
    EXPECT_THAT(outcome.message, HasSubstr("rank 0 waits for rank 1 to send 1 int32"));
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Interface, ::testing::ValuesIn(possible({1, 2, 3, 5})));

}  // namespace
}  // namespace tutti
