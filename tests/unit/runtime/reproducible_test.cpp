/// @file
/// Reproducible calls: bits of their sums depend on the numbers alone, not on who has which, on the algorithm or the size.

#include "tutti/reproducible.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "support/ranks.hpp"
#include "tutti/communicator.hpp"
#include "unit/runtime/reproducible_numbers.hpp"

namespace tutti {
namespace {

using testing::on_ranks;
using testing::possible;

std::vector<double> row(int rank, std::size_t m) { return numbers<double>(m, 120, seed + static_cast<unsigned>(rank)); }

// Returns the bits of all ranks' rows, summed up in an order of their own.
std::vector<std::uint64_t> expected_bits(int p, std::size_t m) {
  std::vector<ReproducibleSum<double>> sums(m);
  for (int rank = p; rank-- > 0;) {
    const std::vector<double> numbers = row(rank, m);
    for (std::size_t k = 0; k < m; ++k) sums[k] += numbers[k];
  }
  std::vector<std::uint64_t> bits;
  for (const auto& sum : sums) bits.push_back(bits_of(sum.value()));
  return bits;
}

std::vector<std::uint64_t> all_bits(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) bits.push_back(bits_of(number));
  return bits;
}

TEST(Reproducible, AllReducesToTheSameBitsByEveryAlgorithm) {
  for (const int p : possible({1, 2, 3, 5, 8})) {
    on_ranks(p, [p](Communicator& comm) {
      for (const Algorithm* algorithm : algorithms::algorithms_for(Collective::all_reduce)) {
        for (const std::size_t m : {std::size_t{1}, std::size_t{7}, std::size_t{600}}) {
          const Problem problem{
              .collective = Collective::all_reduce, .ranks = p, .count = static_cast<std::int64_t>(m)};
          if (unmet_need(*algorithm, problem)) continue;
          std::vector<double> data = row(comm.rank(), m);
          comm.all_reduce(data, reproducible, {.algorithm = algorithm->name});
          EXPECT_EQ(all_bits(data), expected_bits(p, m)) << algorithm->name << ", " << m << " of " << p << " ranks";
        }
      }
    });
  }
}

// More than are summed up at a time.
TEST(Reproducible, LongMessagesAreAllReducedPieceByPiece) {
  for (const int p : possible({1, 3})) {
    on_ranks(p, [p](Communicator& comm) {
      for (const std::size_t m : {std::size_t{0}, std::size_t{1} << 12, std::size_t{10000}}) {
        std::vector<double> data = row(comm.rank(), m);
        comm.all_reduce(data, reproducible);
        EXPECT_TRUE(all_bits(data) == expected_bits(p, m)) << m;
      }
    });
  }
}

TEST(Reproducible, AllReducesNothingThatOverlaps) {
  for (const int p : possible({1, 3})) {
    on_ranks(p, [](Communicator& comm) {
      constexpr std::size_t m = 5000;
      std::vector<double> data = row(comm.rank(), m + 1);
      const std::vector<double> given = data;
      const std::span<double> all(data);
      EXPECT_THROW(comm.all_reduce(all.first(m), all.last(m), reproducible), Error);
      EXPECT_THROW(comm.all_reduce(all.last(m), all.first(m), reproducible), Error);
      EXPECT_EQ(data, given);
      comm.all_reduce(all.first(m / 2), all.last(m / 2), reproducible);
      comm.all_reduce(all, all, reproducible);
      comm.all_reduce(all.first(0), all.first(0), reproducible);
    });
  }
}

// Nothing is sent: the call after it is the first of all ranks.
TEST(Reproducible, OutputsOfAnotherSizeAreRefusedBeforeAnythingIsSent) {
  on_ranks(testing::possible({1, 3}).back(), [](Communicator& comm) {
    const auto p = static_cast<std::size_t>(comm.size());
    const std::vector<double> in(2 * p, 1);
    std::vector<double> out(2 * p + 1);
    const std::vector<int> counts(p, 2);
    EXPECT_THROW(comm.all_reduce(in, out, reproducible), Error);
    EXPECT_THROW(comm.reduce_scatter(in, out, reproducible), Error);
    EXPECT_THROW(comm.reduce_scatter_v(in, out, counts, reproducible), Error);
    if (comm.rank() == 0) {
      EXPECT_THROW(comm.reduce(in, out, reproducible), Error);
    }
    comm.barrier();
  });
}

TEST(Reproducible, SumsOfSharedOutNumbersAreTheSameOverAnyNumberOfRanks) {
  constexpr std::size_t n = 5000;
  const std::vector<float> all = numbers<float>(n, 60);
  const auto expected = bits_of(sum_of(all).value());
  for (const int p : possible({1, 2, 3, 4, 6, 7, 8})) {
    on_ranks(p, [&all, expected, p](Communicator& comm) {
      const auto blocks = static_cast<std::size_t>(p);
      const auto me = static_cast<std::size_t>(comm.rank());
      ReproducibleSum<float> mine;
      for (std::size_t k = n * me / blocks; k < n * (me + 1) / blocks; ++k) mine += all[k];
      EXPECT_EQ(bits_of(comm.all_reduce(std::as_const(mine), reproducible).value()), expected);
      const std::vector<ReproducibleSum<float>> in{mine};
      std::vector<ReproducibleSum<float>> out(1);
      comm.all_reduce_async(in, out, reproducible).wait();
      EXPECT_EQ(bits_of(out.front().value()), expected);
    });
  }
}

TEST(Reproducible, EveryFormOfCallGivesTheSame) {
  for (const int p : possible({1, 3, 4})) {
    on_ranks(p, [p](Communicator& comm) {
      const auto m = static_cast<std::size_t>(4 * p);
      const std::vector<double> in = row(comm.rank(), m);
      const std::vector<std::uint64_t> expected = expected_bits(p, m);
      EXPECT_EQ(all_bits(comm.all_reduce(in, reproducible)), expected);
      std::vector<double> out(m);
      comm.all_reduce(in, out, reproducible);
      EXPECT_EQ(all_bits(out), expected);
      const double first = in.front();
      EXPECT_EQ(bits_of(comm.all_reduce(first, reproducible)), expected.front());
      std::vector<double> block(4);
      comm.reduce_scatter(in, block, reproducible);
      const auto at = expected.begin() + 4 * comm.rank();
      const std::vector<std::uint64_t> own(at, at + 4);
      EXPECT_EQ(all_bits(block), own);
      EXPECT_EQ(all_bits(comm.reduce_scatter(in, reproducible)), own);
    });
  }
}

TEST(Reproducible, ReducesToTheRootAlone) {
  for (const int p : possible({1, 3, 4})) {
    on_ranks(p, [p](Communicator& comm) {
      constexpr std::size_t m = 5;
      const std::vector<double> in = row(comm.rank(), m);
      const std::vector<std::uint64_t> expected = expected_bits(p, m);
      for (const int root : {0, p - 1}) {
        const bool here = comm.rank() == root;
        std::vector<double> out(m);
        comm.reduce(in, out, reproducible, root);
        EXPECT_EQ(all_bits(out), here ? expected : std::vector<std::uint64_t>(m));
        std::vector<double> data = in;
        comm.reduce(data, reproducible, root);
        EXPECT_EQ(all_bits(data), here ? expected : all_bits(in));
        EXPECT_EQ(all_bits(comm.reduce(in, reproducible, root)), here ? expected : std::vector<std::uint64_t>());
        const double first = in.front();
        const std::optional<double> total = comm.reduce(first, reproducible, root);
        ASSERT_EQ(total.has_value(), here);
        if (here) {
          EXPECT_EQ(bits_of(*total), expected.front());
        }
      }
      std::vector<double> out(m);
      comm.reduce(in, out, reproducible, CollectiveOptions{.algorithm = "binomial"});
      EXPECT_EQ(all_bits(out), comm.rank() == 0 ? expected : std::vector<std::uint64_t>(m));
      EXPECT_EQ(comm.reduce(in, reproducible, CollectiveOptions{.algorithm = "flat"}).size(), comm.rank() == 0 ? m : 0);
    });
  }
}

// Blocks of 0, 1, 2, … elements.
TEST(Reproducible, ReduceScattersByCounts) {
  for (const int p : possible({1, 3, 4})) {
    on_ranks(p, [p](Communicator& comm) {
      std::vector<std::int64_t> counts(static_cast<std::size_t>(p));
      std::iota(counts.begin(), counts.end(), 0);
      const auto m = static_cast<std::size_t>(p * (p - 1) / 2);
      const std::vector<double> in = row(comm.rank(), m);
      const std::vector<std::uint64_t> expected = expected_bits(p, m);
      const int me = comm.rank();
      const auto at = expected.begin() + me * (me - 1) / 2;
      const std::vector<std::uint64_t> own(at, at + me);
      std::vector<double> block(own.size());
      comm.reduce_scatter_v(in, block, counts, reproducible);
      EXPECT_EQ(all_bits(block), own);
      EXPECT_EQ(all_bits(comm.reduce_scatter_v(in, counts, reproducible)), own);
    });
  }
}

TEST(Reproducible, ScansToTheSameBitsByEveryAlgorithm) {
  for (const int p : possible({1, 2, 3, 5, 8})) {
    on_ranks(p, [p](Communicator& comm) {
      constexpr std::size_t m = 9;
      const std::vector<double> in = row(comm.rank(), m);
      const std::vector<std::uint64_t> through = expected_bits(comm.rank() + 1, m);
      const bool first = comm.rank() == 0;
      const std::vector<std::uint64_t> before = expected_bits(comm.rank(), m);
      for (const Algorithm* algorithm : algorithms::algorithms_for(Collective::scan)) {
        std::vector<double> out(m);
        comm.scan(in, out, reproducible, {.algorithm = algorithm->name});
        EXPECT_EQ(all_bits(out), through) << algorithm->name << " of " << p << " ranks";
      }
      for (const Algorithm* algorithm : algorithms::algorithms_for(Collective::exclusive_scan)) {
        std::vector<double> out = in;
        comm.exclusive_scan(in, out, reproducible, {.algorithm = algorithm->name});
        EXPECT_EQ(all_bits(out), first ? all_bits(in) : before) << algorithm->name << " of " << p << " ranks";
      }
    });
  }
}

TEST(Reproducible, EveryFormOfScanGivesTheSame) {
  for (const int p : possible({1, 3, 4})) {
    on_ranks(p, [](Communicator& comm) {
      constexpr std::size_t m = 6;
      const std::vector<double> in = row(comm.rank(), m);
      const std::vector<std::uint64_t> through = expected_bits(comm.rank() + 1, m);
      const bool first = comm.rank() == 0;
      const std::vector<std::uint64_t> before = expected_bits(comm.rank(), m);
      const double number = in.front();
      std::vector<double> data = in;
      comm.scan(data, reproducible);
      EXPECT_EQ(all_bits(data), through);
      EXPECT_EQ(all_bits(comm.scan(in, reproducible)), through);
      EXPECT_EQ(bits_of(comm.scan(number, reproducible)), through.front());
      data = in;
      comm.exclusive_scan(data, reproducible);
      EXPECT_EQ(all_bits(data), first ? all_bits(in) : before);
      EXPECT_EQ(all_bits(comm.exclusive_scan(in, reproducible)), first ? std::vector<std::uint64_t>() : before);
      const std::optional<double> total = comm.exclusive_scan(number, reproducible);
      ASSERT_EQ(total.has_value(), !first);
      if (!first) {
        EXPECT_EQ(bits_of(*total), before.front());
      }
    });
  }
}

// Programs that reduce numbers without waiting, or by a plan, are told to do this.
TEST(Reproducible, SumsHaveHandlesAndPlans) {
  for (const int p : possible({1, 3, 4})) {
    on_ranks(p, [p](Communicator& comm) {
      constexpr std::size_t m = 3;
      const std::vector<double> in = row(comm.rank(), m);
      const std::vector<ReproducibleSum<double>> sums(in.begin(), in.end());
      std::vector<ReproducibleSum<double>> out(m);
      const auto bits = [&out] {
        std::vector<std::uint64_t> found;
        for (const auto& sum : out) found.push_back(bits_of(sum.value()));
        return found;
      };
      comm.scan_async(sums, out, reproducible).wait();
      EXPECT_EQ(bits(), expected_bits(comm.rank() + 1, m));
      Plan plan = comm.plan_all_reduce(sums, out, reproducible);
      for (int run = 0; run < 3; ++run) {
        std::fill(out.begin(), out.end(), ReproducibleSum<double>());
        plan.run();
        EXPECT_EQ(bits(), expected_bits(p, m));
      }
    });
  }
}

}  // namespace
}  // namespace tutti
