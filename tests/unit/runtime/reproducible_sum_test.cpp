/// @file
/// Sums of one rank, whose bits depend on the numbers alone: not on their order.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "tutti/reproducible.hpp"
#include "unit/runtime/reproducible_numbers.hpp"

namespace tutti {
namespace {

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

}  // namespace
}  // namespace tutti
