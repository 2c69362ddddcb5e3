/// @file
/// Sums whose bits depend on the numbers alone: not on their order, on who has which, on the algorithm or the size.

#include "tutti/reproducible.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
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
      std::vector<double> at_root(m);
      comm.reduce(in, at_root, reproducible, p - 1);
      EXPECT_EQ(all_bits(at_root), comm.rank() == p - 1 ? expected : std::vector<std::uint64_t>(m));
      std::vector<double> block(4);
      comm.reduce_scatter(in, block, reproducible);
      const auto at = expected.begin() + 4 * comm.rank();
      EXPECT_EQ(all_bits(block), std::vector<std::uint64_t>(at, at + 4));
    });
  }
}

}  // namespace
}  // namespace tutti
