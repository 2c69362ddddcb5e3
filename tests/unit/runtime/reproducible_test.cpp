/// @file
/// Sums whose bits depend on the numbers alone: not on their order, on who has which, on the algorithm or the size.

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

namespace tutti {
namespace {

using testing::on_ranks;
using testing::possible;

constexpr std::uint64_t seed = 20153;

template <typename T>
auto bits_of(T number) {
  if constexpr (std::same_as<T, double>) {
    return std::bit_cast<std::uint64_t>(number);
  } else {
    return std::bit_cast<std::uint32_t>(number);
  }
}

// Of both signs, with exponents in a range so wide that ordinary sums differ by their order.
template <typename T>
std::vector<T> numbers(std::size_t n, int exponents, std::uint64_t from = seed) {
  std::mt19937_64 random(from);
  std::uniform_real_distribution<double> fraction(-1, 1);
  std::vector<T> found;
  while (found.size() < n) {
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(exponents)) - exponents / 2;
    found.push_back(static_cast<T>(std::ldexp(fraction(random), exponent)));
  }
  return found;
}

template <typename T>
ReproducibleSum<T> sum_of(const std::vector<T>& numbers) {
  ReproducibleSum<T> sum;
  for (const T number : numbers) sum += number;
  return sum;
}

template <typename T>
class ReproducibleSums : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ReproducibleSums, Types);

TYPED_TEST(ReproducibleSums, HaveTheSameBitsInEveryOrderAndGrouping) {
  std::mt19937_64 random(seed);
  int ordinary_differ = 0;
  for (int round = 0; round < 300; ++round) {
    const int widest = std::same_as<TypeParam, double> ? 2000 : 250;
    std::vector<TypeParam> data = numbers<TypeParam>(1 + random() % 60, 2 + round % widest, random());
    const auto expected = bits_of(sum_of(data).value());
    const TypeParam ordinary = std::accumulate(data.begin(), data.end(), TypeParam{0});
    std::shuffle(data.begin(), data.end(), random);
    ordinary_differ += ordinary != std::accumulate(data.begin(), data.end(), TypeParam{0}) ? 1 : 0;
    EXPECT_EQ(bits_of(sum_of(data).value()), expected) << "seed " << seed << ", round " << round;
    std::vector<ReproducibleSum<TypeParam>> parts(1 + random() % 7);
    for (const TypeParam number : data) parts[random() % parts.size()] += number;
    while (parts.size() > 1) {
      const ReproducibleSum<TypeParam> last = parts.back();
      parts.pop_back();
      parts[random() % parts.size()] += last;
    }
    EXPECT_EQ(bits_of(parts.front().value()), expected) << "seed " << seed << ", round " << round;
  }
  EXPECT_GT(ordinary_differ, 30);
}

TYPED_TEST(ReproducibleSums, OfOneNumberAreIt) {
  for (const TypeParam number : numbers<TypeParam>(500, std::same_as<TypeParam, double> ? 2100 : 290)) {
    if (std::isfinite(number)) {
      EXPECT_EQ(ReproducibleSum<TypeParam>(number).value(), number);
    }
  }
  using Limits = std::numeric_limits<TypeParam>;
  for (const TypeParam number : {Limits::denorm_min(), Limits::min(), Limits::max(), Limits::lowest()})
    EXPECT_EQ(ReproducibleSum<TypeParam>(number).value(), number);
}

// Multiples of 2^-20 whose exact sum is a number, too.
TYPED_TEST(ReproducibleSums, AreExactWhereTheSumIsANumber) {
  constexpr std::int64_t most = std::same_as<TypeParam, double> ? std::int64_t{1} << 40 : 1 << 14;
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> multiples(-most, most);
  for (int round = 0; round < 200; ++round) {
    std::int64_t total = 0;
    ReproducibleSum<TypeParam> sum;
    for (int k = 0; k < 300; ++k) {
      const std::int64_t multiple = multiples(random);
      total += multiple;
      sum += std::ldexp(static_cast<TypeParam>(multiple), -20);
    }
    EXPECT_EQ(sum.value(), std::ldexp(static_cast<TypeParam>(total), -20));
  }
}

// n u max|x|, and a rounding; the sum is compared with one of which each number has been split into its halves.
TYPED_TEST(ReproducibleSums, AreAsNearAsTheyPromise) {
  const int digits = std::same_as<TypeParam, double> ? 64 : 32;
  for (int small = 1; small < 2 * digits; ++small) {
    ReproducibleSum<TypeParam> sum(TypeParam{1});
    constexpr int n = 1000;
    for (int k = 0; k < n; ++k) sum += std::ldexp(TypeParam{1}, -small);
    const double exact = 1 + n * std::ldexp(1.0, -small);
    const double unit = std::ldexp(1.0, -digits);
    EXPECT_NEAR(static_cast<double>(sum.value()), exact,
                n * unit + exact * static_cast<double>(std::numeric_limits<TypeParam>::epsilon()) / 2)
        << small;
  }
}

TYPED_TEST(ReproducibleSums, CancelWhollyAndOverflowOnlyAtTheEnd) {
  using Limits = std::numeric_limits<TypeParam>;
  const std::vector<TypeParam> data = numbers<TypeParam>(100, 40);
  ReproducibleSum<TypeParam> sum = sum_of(data);
  for (const TypeParam number : data) sum += -number;
  EXPECT_EQ(bits_of(sum.value()), bits_of(TypeParam{0}));
  ReproducibleSum<TypeParam> large(Limits::max());
  large += Limits::max();
  EXPECT_EQ(large.value(), Limits::infinity());
  large += Limits::lowest();
  EXPECT_EQ(large.value(), Limits::max());
  EXPECT_EQ(bits_of(ReproducibleSum<TypeParam>(-TypeParam{0}).value()), bits_of(TypeParam{0}));
}

TYPED_TEST(ReproducibleSums, KnowInfinityAndNaN) {
  using Limits = std::numeric_limits<TypeParam>;
  const TypeParam infinity = Limits::infinity();
  ReproducibleSum<TypeParam> sum(TypeParam{3});
  sum += infinity;
  EXPECT_EQ(sum.value(), infinity);
  sum += ReproducibleSum<TypeParam>(infinity);
  EXPECT_EQ(sum.value(), infinity);
  sum += -infinity;
  EXPECT_TRUE(std::isnan(sum.value()));
  EXPECT_EQ(ReproducibleSum<TypeParam>(-infinity).value(), -infinity);
  ReproducibleSum<TypeParam> nan(TypeParam{1});
  nan += ReproducibleSum<TypeParam>(Limits::quiet_NaN());
  EXPECT_TRUE(std::isnan(nan.value()));
}

std::vector<double> row(int rank, std::size_t m) { return numbers<double>(m, 120, seed + static_cast<unsigned>(rank)); }

// What all ranks' rows come to, in an order of their own.
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

// What the sentence tells programs to do that reduce numbers without waiting, or by a plan.
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
