/// @file
/// The measuring loop: its statistics, its pace, its data and its checks. No test depends on a duration.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "measure/limit.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "measure/moving.hpp"
#include "tutti/error.hpp"

namespace tutti::measure {
namespace {

using enum Collective;

constexpr Collective measured[] = {broadcast, reduce,     all_reduce,     scan,       scatter,
                                   gather,    all_gather, reduce_scatter, all_to_all, barrier};

std::vector<double> numbers(int first, int last) {
  std::vector<double> values;
  for (int k = first; k <= last; ++k) values.push_back(k);
  return values;
}

TEST(Statistics, TheMedianIsTheMiddle) {
  EXPECT_EQ(median_of({}), 0);
  EXPECT_EQ(median_of({7}), 7);
  EXPECT_EQ(median_of({9, 1, 5}), 5);
  EXPECT_EQ(median_of({9, 1, 5, 6}), 5.5);
}

TEST(Statistics, TheGeometricMeanOfInversesIsTheInverse) {
  EXPECT_EQ(geometric_mean({}), 0);
  EXPECT_NEAR(geometric_mean({2, 8}), 4, 1e-12);
  EXPECT_NEAR(geometric_mean({0.5, 0.125}), 0.25, 1e-12);
}

TEST(Statistics, ASummaryDoesNotDependOnOrder) {
  std::vector<double> values = numbers(1, 200);
  const Summary sorted = summarize(values);
  std::reverse(values.begin(), values.end());
  const Summary reversed = summarize(values);
  EXPECT_EQ(sorted.median, reversed.median);
  EXPECT_EQ(sorted.half_width, reversed.half_width);
  EXPECT_EQ(sorted.least, 1);
  EXPECT_EQ(sorted.median, 100.5);
  EXPECT_EQ(sorted.p99, 198);  // exactly 198 of 200 do not exceed it
  EXPECT_EQ(sorted.samples, 200u);
}

TEST(Statistics, TheIntervalShrinksWithTheSquareRootOfTheSamples) {
  EXPECT_TRUE(std::isinf(summarize(numbers(1, 5)).half_width));
  EXPECT_FALSE(std::isinf(summarize(numbers(1, 6)).half_width));
  EXPECT_EQ(summarize(std::vector<double>(50, 3.0)).half_width, 0);
  // n evenly spread samples: 0.98 sqrt(n) of them to either side of the middle, n/2.
  EXPECT_NEAR(summarize(numbers(1, 100)).half_width, 0.98 * 10 / 50, 0.03);
  EXPECT_NEAR(summarize(numbers(1, 10000)).half_width, 0.98 * 100 / 5000, 0.001);
}

TEST(Pace, WarmsUpUntilABatchIsLongOrUsesEverySet) {
  Pace fast(16, {.seconds = 1, .batch_seconds = 1});
  std::vector<std::size_t> batches;
  for (int k = 0; k < 8; ++k) {
    batches.push_back(fast.next());
    fast.record(1e-9, 0.001);
  }
  EXPECT_THAT(batches, testing::ElementsAre(1, 2, 4, 8, 16, 16, 16, 16));
  EXPECT_EQ(fast.summary().samples, 3u);  // those after the first of 16
  EXPECT_EQ(fast.calls(), 48u);

  Pace slow(16, {.seconds = 100, .batch_seconds = 1e-3});
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(slow.next(), 1u);
    slow.record(0.5, 0.5 * (k + 1));
  }
  EXPECT_EQ(slow.summary().samples, 3u);  // two warm-ups
}

TEST(Pace, ASlowFirstCallDoesNotMakeBatchesOfOne) {
  Pace pace(64, {.seconds = 100, .batch_seconds = 1e-3});
  pace.record(0.5, 0.5);  // the call that founds what the others find
  std::vector<std::size_t> batches;
  for (int k = 0; k < 6; ++k) {
    batches.push_back(pace.next());
    pace.record(1.1e-4, 0.6);
  }
  EXPECT_THAT(batches, testing::ElementsAre(1, 2, 4, 8, 16, 16));
  EXPECT_EQ(pace.calls(), 0u);
}

TEST(Pace, EndsWhenTheMedianIsStable) {
  Pace steady(1, {.seconds = 1e9, .precision = 0.03});
  int batches = 0;
  for (; steady.next() > 0; ++batches) steady.record(1e-6, 0);
  EXPECT_EQ(batches, 2 + 20);

  Pace restless(1, {.seconds = 1e9, .precision = 0.03});
  for (int k = 0; k < 200; ++k) {
    ASSERT_GT(restless.next(), 0u);
    restless.record(k % 2 == 0 ? 1e-6 : 3e-6, 0);
  }
}

TEST(Pace, EndsWhenTimeIsUpButNotWithoutAFigure) {
  Pace late(1, {.seconds = 1});
  late.record(1e-6, 0);
  late.record(1e-6, 0);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(late.next(), 1u);
    late.record(1e-6, 1.5);
  }
  EXPECT_EQ(late.next(), 0u);

  Pace very_late(8, {.seconds = 1});
  very_late.record(50, 50);  // the warm-up alone takes longer than there is time
  EXPECT_EQ(very_late.next(), 1u);
  very_late.record(50, 150);
  EXPECT_EQ(very_late.next(), 0u);
  EXPECT_EQ(very_late.summary().median, 50);
}

// What the ranks must read and write together, from the sizes of their buffers; a broadcast's one buffer counts by
// role.
Traffic traffic_by_buffers(const Cell& cell) {
  Traffic traffic;
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
  const Measured result = measure(alone, {all_reduce, 1, 1024}, {.seconds = 1e-3});
  EXPECT_GE(result.summary.samples, 1u);
  EXPECT_GT(result.summary.median, 0);
  EXPECT_LE(result.summary.least, result.summary.median);
  EXPECT_LE(result.summary.median, result.summary.p99);
  EXPECT_LT(static_cast<int>(result.calls), alone.calls);  // warm-up is not counted
  EXPECT_EQ(alone.barriers, 2 * alone.batches);
}

TEST(Loop, NoticesAWrongResult) {
  for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{1} << 20}) {
    Alone late(4);  // twenty batches at least are made, however long they take
    EXPECT_THROW(measure(late, {all_reduce, 1, bytes}, {.seconds = 1e9, .precision = 1e9}), Error);
  }
}

TEST(Moving, EveryWayMovesTheSame) {
  constexpr std::size_t n = 5000;
  for (const Mover& mover : movers()) {
    for (const std::size_t sources : {1, 2, 3, 5}) {
      std::vector<std::shared_ptr<double>> held;
      std::vector<const double*> from;
      for (std::size_t s = 0; s < sources; ++s) {
        held.push_back(plain_memory(n));
        contribute(static_cast<int>(s), 0, {held.back().get(), n});
        from.push_back(held.back().get());
      }
      const std::size_t destinations = sources == 1 ? 3 : 1;
      std::vector<double*> into;
      for (std::size_t d = 0; d < destinations; ++d) {
        held.push_back(plain_memory(n));
        into.push_back(held.back().get());
      }
      mover.move({from, into}, 0, 13);
      mover.move({from, into}, 13, n);
      for (double* const target : into) {
        for (std::size_t k = 0; k < n; ++k) {
          const double sum = std::accumulate(from.begin(), from.end(), 0.0,
                                             [k](double all, const double* one) { return all + one[k]; });
          ASSERT_EQ(target[k], sum) << mover.name << ", " << sources << " sources, element " << k;
        }
      }
    }
  }
}

TEST(Limit, IsATimeForEveryCell) {
  for (const Collective collective : measured) {
    for (const int p : {1, 2, 5}) {
      const Cell cell{collective, p, 4096};
      const double limit = limit_seconds(cell, {.seconds = 1e-3});
      const double line = p > 1 ? line_seconds() : 0;  // the least seen so far only shrinks
      const Traffic traffic = traffic_of(cell);
      EXPECT_TRUE(limit >= line || !is_mutual(collective)) << limit << " s, a line " << line << " s";
      EXPECT_TRUE(limit > 0 || traffic.read == 0 || traffic.written == 0);
    }
  }
}

TEST(Limit, AFewBytesOneWayHaveNone) {
  for (const Collective collective : measured) {
    if (is_mutual(collective)) continue;
    for (const std::int64_t bytes : {8, 16, 64}) EXPECT_EQ(limit_seconds({collective, 2, bytes}, {.seconds = 1e-3}), 0);
  }
}

TEST(Limit, ArraysLieWhereTheCallerSays) {
  std::size_t asked = 0;
  const Allocate allocate = [&](std::size_t count) { return plain_memory(asked = count); };
  limit_seconds({Collective::all_reduce, 2, 4096}, {.seconds = 1e-3}, allocate);
  EXPECT_GE(asked, 2 * 4096 / sizeof(double));
}

// By the definition of each collective: what no rank has itself. On one core nothing comes from elsewhere, and the more
// cores there are the more does.
TEST(Limit, OnlyWhatMustComesFromOthers) {
  using enum Collective;
  for (const Collective collective : measured) {
    for (int p = 1; p <= 9; ++p) {
      const Cell cell{collective, p, 4096};
      EXPECT_EQ(part_from_others(cell, 1), 0);
      for (int n = 2; n <= p; ++n) {
        EXPECT_GT(part_from_others(cell, n), 0);
        EXPECT_GE(part_from_others(cell, n), part_from_others(cell, n - 1));
        EXPECT_LE(part_from_others(cell, n), 1);
      }
    }
  }
  EXPECT_EQ(part_from_others({broadcast, 4, 4096}, 4), 1);
  EXPECT_EQ(part_from_others({gather, 4, 4096}, 4), 0.75);  // all blocks but the root's own
  EXPECT_EQ(part_from_others({reduce, 4, 4096}, 2), 0.25);  // one vector goes from core to core
}

}  // namespace
}  // namespace tutti::measure
