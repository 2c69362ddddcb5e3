/// @file
/// The measuring loop: its cells, its data and its checks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "measure/buffers.hpp"
#include "measure/limit.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "tutti/error.hpp"
#include "unit/measure/measured.hpp"

namespace tutti::measure {
namespace {

// Returns the bytes that the ranks must read and write together, from the sizes of their buffers; a broadcast's one
// buffer counts by role.
CellTraffic traffic_by_buffers(const Cell& cell) {
  CellTraffic traffic;
  for (int rank = 0; rank < cell.ranks; ++rank) {
    const bool root_of_broadcast = cell.collective == broadcast && rank == 0;
    traffic.read += 8 * (root_of_broadcast ? cell.output_count(rank) : cell.input_count(rank));
    traffic.written += 8 * (root_of_broadcast ? 0 : cell.output_count(rank));
  }
  return traffic;
}

TEST(Cell, TrafficIsWhatTheBuffersHold) {
  for (const Collective collective : measured) {
    for (int p = 1; p <= 9; ++p) {
      for (const std::int64_t bytes : {0, 8, 1000, 65536}) {
        const Cell cell{collective, p, bytes};
        EXPECT_EQ(traffic_of(cell), traffic_by_buffers(cell))
            << static_cast<int>(collective) << ' ' << p << ' ' << bytes;
      }
    }
  }
}

TEST(Cell, SizesAreWholeElementsAndBlocks) {
  EXPECT_EQ((Cell{all_reduce, 3, 17}.whole_bytes()), 16);
  EXPECT_EQ((Cell{all_reduce, 3, 0}.whole_bytes()), 8);
  EXPECT_EQ((Cell{all_gather, 3, 64}.count()), 2);
  EXPECT_EQ((Cell{all_gather, 3, 64}.whole_bytes()), 48);
  EXPECT_EQ((Cell{all_to_all, 4, 8}.whole_bytes()), 32);  // blocks have one element at least
  EXPECT_EQ((Cell{barrier, 4, 0}.whole_bytes()), 0);
}

TEST(Cell, BusBandwidthsAreThoseOfNcclTests) {
  const auto factor = [](Collective collective) { return bus_bandwidth({collective, 4, 8000}, 1) / 8000; };
  EXPECT_EQ(factor(all_reduce), 1.5);
  EXPECT_EQ(factor(reduce_scatter), 0.75);
  EXPECT_EQ(factor(all_gather), 0.75);
  EXPECT_EQ(factor(all_to_all), 0.75);
  EXPECT_EQ(factor(scatter), 0.75);
  EXPECT_EQ(factor(gather), 0.75);
  EXPECT_EQ(factor(broadcast), 1);
  EXPECT_EQ(factor(reduce), 1);
}

// All ranks of a collective in one thread, by the definition of the collective.
class Definition {
 public:
  explicit Definition(const Cell& cell) : cell_(cell) {}

  std::vector<double> input(int rank, std::uint64_t call) const {
    const bool root_of_broadcast = cell_.collective == broadcast && rank == 0;
    std::vector<double> data(
        static_cast<std::size_t>(root_of_broadcast ? cell_.output_count(rank) : cell_.input_count(rank)));
    contribute(rank, call, data);
    return data;
  }
  std::vector<double> output(int rank, std::uint64_t call) const {
    const auto m = static_cast<std::size_t>(cell_.count());
    const auto r = static_cast<std::size_t>(rank);
    std::vector<double> out(static_cast<std::size_t>(cell_.output_count(rank)));
    for (int from = 0; from < cell_.ranks; ++from) {
      const std::vector<double> in = input(from, call);
      const auto f = static_cast<std::size_t>(from);
      for (std::size_t k = 0; k < out.size(); ++k) {
        switch (cell_.collective) {
          case broadcast:
            out[k] += from == 0 ? in[k] : 0;
            break;
          case reduce:
          case all_reduce:
            out[k] += in[k];
            break;
          case scan:
            out[k] += from <= rank ? in[k] : 0;
            break;
          case scatter:
            out[k] += from == 0 ? in[r * m + k] : 0;
            break;
          case gather:
          case all_gather:
            out[k] += k / m == f ? in[k % m] : 0;
            break;
          case reduce_scatter:
            out[k] += in[r * m + k];
            break;
          case all_to_all:
            out[k] += k / m == f ? in[r * m + k % m] : 0;
            break;
          default:
            break;
        }
      }
    }
    return out;
  }

 private:
  Cell cell_;
};

TEST(Cell, RightResultsHaveNoFlawAndOthersHave) {
  for (const Collective collective : measured) {
    for (int p = 1; p <= 5; ++p) {
      const Cell cell{collective, p, 20000};
      const Definition definition(cell);
      for (int rank = 0; rank < p; ++rank) {
        std::vector<double> out = definition.output(rank, 7);
        EXPECT_EQ(find_flaw(cell, rank, 7, out), std::nullopt);
        if (out.empty()) continue;
        EXPECT_NE(find_flaw(cell, rank, 8, out), std::nullopt) << "left over from another call";
        out.back() += 1;
        const auto flaw = find_flaw(cell, rank, 7, out);
        ASSERT_NE(flaw, std::nullopt);
        EXPECT_THAT(*flaw, testing::HasSubstr("in element " + std::to_string(out.size() - 1) + " of rank"));
      }
    }
  }
}

TEST(Cell, IsRefusedWhereItsBuffersHaveMoreBytesThanAnIntegerHolds) {
  constexpr std::int64_t pebibyte = std::int64_t{1} << 50;
  for (const Collective collective : {Collective::all_to_all, Collective::all_reduce, Collective::scan}) {
    for (const int p : {64, 2048, 4096}) {
      for (const std::int64_t bytes : {pebibyte, pebibyte * p}) {
        EXPECT_THROW((void)sets_for(Cell{collective, p, bytes}), Error) << static_cast<int>(collective) << ", " << p;
        EXPECT_THROW((void)limit_seconds(Cell{collective, p, bytes}, {}), Error)
            << static_cast<int>(collective) << ", " << p;
      }
    }
  }
}

TEST(Cell, DataDependOnRankCallAndPosition) {
  std::vector<double> first(100);
  std::vector<double> other(100);
  contribute(0, 0, first);
  EXPECT_NE(first[0], first[1]);
  for (const auto& [rank, call] : {std::pair{1, 0}, {0, 1}, {0, 128}}) {
    contribute(rank, static_cast<std::uint64_t>(call), other);
    EXPECT_NE(first, other);
  }
  for (const double value : first) EXPECT_TRUE(value >= 0 && value < 16777216 && value == std::floor(value));
}

TEST(Cell, RefusesWhatIsNotMeasured) {
  EXPECT_THROW(check(Cell{shift, 2, 8}), Error);
  EXPECT_THROW(check(Cell{exclusive_scan, 2, 8}), Error);
  EXPECT_THROW(check(Cell{broadcast, 0, 8}), Error);
  EXPECT_THROW(check(Cell{broadcast, 2, -8}), Error);
}

TEST(Buffers, EverySetIsFreshAndOnItsOwnLines) {
  const Cell cell{all_reduce, 2, 24};
  std::vector<std::shared_ptr<double>> others;  // so that nothing lies well by chance
  for (std::size_t count = 1; count < 8; ++count) others.push_back(plain_memory(count));
  for (const auto& other : others) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(other.get()) % 128, 0u);
  const Buffers buffers(cell, 1, 5, plain_memory);
  for (std::uint64_t call = 0; call < 5; ++call) {
    std::vector<double> expected(3);
    contribute(1, call, expected);
    EXPECT_THAT(buffers.input(call), testing::ElementsAreArray(expected));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffers.output(call).data()) % 64, 0u);
    EXPECT_EQ(buffers.input(call).data(), buffers.input(call + 5).data());
  }
  EXPECT_NE(buffers.input(0).data(), buffers.input(1).data());
}

TEST(Buffers, SetsExceedTheCachesOrAreMany) {
  const Cell small{all_reduce, 2, 8};
  EXPECT_EQ(sets_for(small), 128u);
  for (const std::int64_t bytes : {std::int64_t{1} << 20, std::int64_t{16} << 20}) {
    const auto sets = static_cast<std::int64_t>(sets_for(Cell{all_reduce, 2, bytes}));
    EXPECT_GE(sets * 4 * bytes, std::min(shared_cache_bytes(), 128 * 4 * bytes));
  }
  EXPECT_THROW(sets_for(Cell{all_reduce, 2, std::int64_t{1} << 50}), Error);
}

// One rank, alone; on request its results are wrong from some call on.
class Alone {
 public:
  explicit Alone(int right_calls = 1 << 30) : right_calls_(right_calls) {}

  int rank() const { return 0; }
  int size() const { return 1; }
  void call(Collective, std::span<double> in, std::span<double> out) {
    std::copy(in.begin(), in.end(), out.begin());
    if (++calls > right_calls_) out.back() = -1;
  }
  void barrier() { ++barriers; }
  void max_over_ranks(std::span<double>) { ++batches; }
  std::shared_ptr<double> allocate(std::size_t count) { return plain_memory(count); }

  int calls = 0;
  int barriers = 0;
  int batches = 0;

 private:
  int right_calls_;
};

TEST(Loop, MakesTheCallsThatItCounts) {
  Alone alone;
  const LoopResult result = measure(alone, {all_reduce, 1, 1024}, {.seconds = 1e-3});
  EXPECT_GE(result.summary.samples, 1u);
  EXPECT_GT(result.summary.median, 0);
  EXPECT_LE(result.summary.least, result.summary.median);
  EXPECT_LE(result.summary.median, result.summary.p99);
  EXPECT_LT(static_cast<int>(result.calls), alone.calls);  // warm-up is not counted
  EXPECT_EQ(alone.barriers, 2 * alone.batches);
}

TEST(Loop, NoticesAWrongResult) {
  for (const BufferReuse use : {BufferReuse::rotating, BufferReuse::warm, BufferReuse::fresh}) {
    for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{1} << 20}) {
      Alone late(4);  // twenty batches at least are made, however long they take
      EXPECT_THROW(measure(late, {all_reduce, 1, bytes}, {.seconds = 1e9, .precision = 1e9}, use), Error);
    }
  }
}

// Takes down what it is given.
class Listing : public Alone {
 public:
  void call(Collective collective, std::span<double> in, std::span<double> out) {
    Alone::call(collective, in, out);
    buffers.insert(in.data());
    if (numbers.empty() || numbers.back() != in.front()) numbers.push_back(in.front());
  }

  std::set<const double*> buffers;
  std::vector<double> numbers;  // the first of a call's, where they differ from those of the call before
};

TEST(Loop, HasTheSameBuffersForAllWarmCallsAndOtherNumbersForEachBatch) {
  Listing warm;
  measure(warm, {all_reduce, 1, 1024}, {.seconds = 1e-3}, BufferReuse::warm);
  EXPECT_EQ(warm.buffers.size(), 1U);
  EXPECT_EQ(static_cast<int>(warm.numbers.size()), warm.batches);
  Listing rotating;
  measure(rotating, {all_reduce, 1, 1024}, {.seconds = 1e-3});
  EXPECT_GT(rotating.buffers.size(), 1U);
}

// Each call has two buffers, which nobody holds any more before the next has its own.
TEST(Loop, AllocatesFreshMemoryForEachCall) {
  class Allocating : public Listing {
   public:
    std::shared_ptr<double> allocate(std::size_t count) {
      EXPECT_LE(held.size(), 2U);
      std::erase_if(held, [](const std::weak_ptr<double>& each) { return each.expired(); });
      EXPECT_LE(held.size(), 1U);
      ++allocations;
      std::shared_ptr<double> memory = plain_memory(count);
      held.push_back(memory);
      return memory;
    }

    std::vector<std::weak_ptr<double>> held;
    int allocations = 0;
  };
  Allocating fresh;
  measure(fresh, {all_reduce, 1, 1024}, {.seconds = 1e-3}, BufferReuse::fresh);
  EXPECT_EQ(fresh.allocations, 2 * fresh.calls);
  EXPECT_EQ(fresh.calls, fresh.batches);
  EXPECT_EQ(static_cast<int>(fresh.numbers.size()), fresh.batches);
}

TEST(Loop, SubjectsInTurnHaveTheSameBuffersAndRightResultsWhereverTheOneBeforeEnded) {
  const Cell cell{all_reduce, 1, 1024};
  CellMeasurement turns(cell, 0, plain_memory);
  Listing first;
  turns.measure(first, {.seconds = 1e-3});
  Listing second;
  turns.measure(second, {.seconds = 1e-3});
  EXPECT_EQ(first.buffers, second.buffers);
  EXPECT_EQ(second.buffers.size(), turns.buffers().sets());
  double after_the_first = 0;
  contribute(0, static_cast<std::uint64_t>(first.calls), {&after_the_first, 1});
  EXPECT_EQ(second.numbers.front(), after_the_first);
  Alone wrong(0);
  EXPECT_THROW(turns.measure(wrong, {.seconds = 1e-3}), Error);
}

TEST(Loop, TurnsAreOfCellsThatAreMeasured) { EXPECT_THROW(CellMeasurement({shift, 1, 8}, 0, plain_memory), Error); }

}  // namespace
}  // namespace tutti::measure
