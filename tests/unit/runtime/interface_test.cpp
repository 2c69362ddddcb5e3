/// @file
/// The forms in which collectives can be called, each held to the call into given memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <deque>
#include <numeric>

#include "algorithms/catalogue.hpp"
#include "support/ranks.hpp"

namespace tutti {
namespace {

using ::testing::HasSubstr;
using testing::on_ranks;
using testing::outcomes_of;
using testing::possible;

/// What rank r has: r mod 3 · 2 elements, so that some have none.
std::vector<int> some(int rank) {
  std::vector<int> mine(static_cast<std::size_t>(rank % 3 * 2));
  std::iota(mine.begin(), mine.end(), 100 * rank);
  return mine;
}

std::vector<int> counts_of_all(int p) {
  std::vector<int> counts;
  for (int rank = 0; rank < p; ++rank) counts.push_back(rank % 3 * 2);
  return counts;
}

std::vector<int> all_of(int p) {
  std::vector<int> all;
  for (int rank = 0; rank < p; ++rank) {
    for (const int each : some(rank)) all.push_back(each);
  }
  return all;
}

class Interface : public ::testing::TestWithParam<int> {};

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

TEST_P(Interface, CountsThatRanksDoNotKnowAreFound) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const std::vector<int> mine = some(comm.rank());
    const std::vector<int> counts = counts_of_all(p);
    const ByRank<int> all = comm.all_gather_v(mine);
    EXPECT_EQ(all.elements, all_of(p));
    for (int rank = 0; rank < p; ++rank) {
      const auto from = all.from(rank);
      EXPECT_EQ(std::vector<int>(from.begin(), from.end()), some(rank));
    }
    for (int root = 0; root < p; ++root) {
      const bool here = comm.rank() == root;
      const ByRank<int> gathered = comm.gather_v(mine, root);
      EXPECT_EQ(gathered.elements, here ? all_of(p) : std::vector<int>());
      EXPECT_EQ(gathered.counts,
                here ? std::vector<std::int64_t>(counts.begin(), counts.end()) : std::vector<std::int64_t>());
      EXPECT_EQ(
          comm.scatter_v(here ? all_of(p) : std::vector<int>(), at_root(here ? counts : std::vector<int>()), root),
          mine);
    }
    // Rank i sends j elements to rank j.
    std::vector<int> in;
    std::vector<int> to_each(static_cast<std::size_t>(p));
    std::iota(to_each.begin(), to_each.end(), 0);
    for (int j = 0; j < p; ++j) in.insert(in.end(), static_cast<std::size_t>(j), comm.rank());
    const ByRank<int> received = comm.all_to_all_v(in, to_each);
    for (int rank = 0; rank < p; ++rank) {
      const auto from = received.from(rank);
      EXPECT_EQ(std::vector<int>(from.begin(), from.end()),
                std::vector<int>(static_cast<std::size_t>(comm.rank()), rank));
    }
  });
}

// In each form, at each root; what other ranks than the root pass as counts is not read.
TEST_P(Interface, CountsMayBeKnownToTheRootAlone) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const std::vector<int> mine = some(comm.rank());
    for (int root = 0; root < p; ++root) {
      const bool here = comm.rank() == root;
      const std::vector<int> counts =
          here ? counts_of_all(p) : std::vector<int>(static_cast<std::size_t>(root % 2), 77);
      std::vector<int> all(here ? all_of(p).size() : 0);
      std::vector<int> back(mine.size());
      const auto expect = [&] {
        EXPECT_EQ(all, here ? all_of(p) : std::vector<int>());
        std::fill(all.begin(), all.end(), -1);
      };
      comm.gather_v(mine, all, at_root(counts), root);
      expect();
      comm.gather_v_async(mine, all, at_root(counts), root).wait();
      expect();
      Plan plan = comm.plan_gather_v(mine, all, at_root(counts), root);
      for (int round = 0; round < 2; ++round) {
        plan();
        expect();
      }
      comm.scatter_v(here ? all_of(p) : std::vector<int>(), back, at_root(counts), root);
      EXPECT_EQ(back, mine);
    }
  });
}

TEST(InterfaceMismatch, TheRootsCountsAndARanksSizeAreTold) {
  for (const auto& outcome : outcomes_of(3, [](Communicator& comm) {
         std::vector<int> in(comm.rank() == 2 ? 3 : 2);
         std::vector<int> out(6);
         comm.gather_v(in, out, at_root(std::vector<int>{2, 2, 2}), 1);
         comm.barrier();
       })) {
    EXPECT_EQ(outcome.code, ErrorCode::mismatch);
    EXPECT_EQ(outcome.message, "gather_v (call 1): rank 2 has 3 elements, but the counts of the root, rank 1, say 2");
  }
}

TEST(InterfaceMismatch, OfCountsKnownToAllAndToTheRootAlone) {
  for (const auto& outcome : outcomes_of(2, [](Communicator& comm) {
         const std::vector<int> in(2);
         std::vector<int> out(4);
         const std::vector<int> counts{2, 2};
         if (comm.rank() == 0) comm.gather_v(in, out, counts);
         if (comm.rank() == 1) comm.gather_v(in, out, at_root(counts));
         comm.barrier();
       })) {
    EXPECT_EQ(outcome.code, ErrorCode::mismatch);
    EXPECT_THAT(outcome.message, HasSubstr("counts at the root alone"));
  }
}

TEST(InterfaceCounts, AreOfAnyIntegerType) {
  on_ranks(2, [](Communicator& comm) {
    const std::vector<int> mine(comm.rank() == 0 ? 3 : 1, comm.rank());
    const std::vector<int> expected{0, 0, 0, 1};
    const auto expect = [&](const auto& counts) {
      std::vector<int> all(4);
      comm.all_gather_v(mine, all, counts);
      EXPECT_EQ(all, expected);
    };
    expect(std::vector<std::int64_t>{3, 1});
    expect(std::vector<int>{3, 1});
    expect(std::vector<std::size_t>{3, 1});
    expect(std::array<unsigned char, 2>{3, 1});
    expect(std::deque<short>{3, 1});
    std::vector<int> all(4);
    comm.all_gather_v(mine, all, {3, 1});
    EXPECT_EQ(all, expected);
    EXPECT_THROW(comm.all_gather_v(mine, all, std::vector<std::size_t>{3, ~std::size_t{0}}), Error);
  });
}

// Blocks lie backwards, two elements apart; what lies between them stays as it is.
TEST_P(Interface, BlocksMayLieWhereDisplacementsSay) {
  const int p = GetParam();
  on_ranks(p, [p](Communicator& comm) {
    const std::vector<int> counts = counts_of_all(p);
    std::vector<int> begins(counts.size());
    std::vector<int> table;  // what the blocks of all ranks make there
    for (int rank = p - 1; rank >= 0; --rank) {
      begins[static_cast<std::size_t>(rank)] = static_cast<int>(table.size()) + 2;
      table.insert(table.end(), 2, -7);
      for (const int each : some(rank)) table.push_back(each);
    }
    const std::vector<int> mine = some(comm.rank());
    const std::vector<int> blank(table.size(), -7);
    const auto own_begin = [&](int rank) { return static_cast<std::size_t>(begins[static_cast<std::size_t>(rank)]); };
    for (const char* algorithm : {"", "linear", "ring"}) {
      std::vector<int> out = blank;
      comm.all_gather_v(mine, out, displaced(counts, begins), {.algorithm = algorithm});
      EXPECT_EQ(out, table) << algorithm;
      // The sum over all ranks of one table is p times what it has.
      std::vector<int> block(mine.size());
      comm.reduce_scatter_v(table, block, displaced(counts, begins), maximum, {.algorithm = algorithm});
      EXPECT_EQ(block, mine) << algorithm;
    }
    for (int root = 0; root < p; ++root) {
      const bool here = comm.rank() == root;
      for (const char* algorithm : {"linear", "binomial"}) {
        const CollectiveOptions options{.algorithm = algorithm};
        std::vector<int> out = here ? blank : std::vector<int>();
        comm.gather_v(mine, out, displaced(counts, begins), root, options);
        EXPECT_EQ(out, here ? table : std::vector<int>());
        out = here ? blank : std::vector<int>();
        comm.gather_v(mine, out, at_root(counts, begins), root, options);
        EXPECT_EQ(out, here ? table : std::vector<int>());
        std::vector<int> block(mine.size());
        Plan plan = comm.plan_scatter_v(table, block, displaced(counts, begins), root, options);
        plan();
        EXPECT_EQ(block, mine);
      }
    }
    // Every rank sends rank r what the table has of rank r, and gets p times its own.
    std::vector<int> received(mine.size() * static_cast<std::size_t>(p) + 3, -7);
    std::vector<int> receive_begins;
    for (int rank = 0; rank < p; ++rank) receive_begins.push_back(static_cast<int>(mine.size()) * (p - 1 - rank) + 3);
    comm.all_to_all_v(table, received, displaced(counts, begins),
                      displaced(std::vector<std::size_t>(static_cast<std::size_t>(p), mine.size()), receive_begins));
    for (std::size_t k = 0; k < received.size(); ++k) EXPECT_EQ(received[k], k < 3 ? -7 : mine[(k - 3) % mine.size()]);
    EXPECT_EQ(table[own_begin(p - 1) - 1], -7);
  });
}

TEST(InterfaceDisplacements, ThatDoNotFitAreRefused) {
  on_ranks(2, [](Communicator& comm) {
    const std::vector<int> mine(2);
    std::vector<int> all(5);
    const std::vector<int> counts{2, 2};
    const auto error_of = [&](const std::vector<int>& displacements) {
      try {
        comm.all_gather_v(mine, all, displaced(counts, displacements));
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    EXPECT_THAT(error_of({0, 4}), HasSubstr("block 1 of rank"));
    EXPECT_THAT(error_of({-1, 2}), HasSubstr("from element -1 on"));
    EXPECT_THAT(error_of({0, 1}), HasSubstr("overlap at element 1"));
    EXPECT_THAT(error_of({0}), HasSubstr("needs 2 displacements, not 1"));
    EXPECT_EQ(error_of({3, 0}), "");
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
