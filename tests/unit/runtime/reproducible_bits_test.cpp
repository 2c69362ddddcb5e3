/// @file
/// Sums of numbers keep their bits whatever a program's compiler assumes of numbers, and however its processor rounds.

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "tutti/reproducible.hpp"

namespace tutti {
namespace {

constexpr std::uint64_t seed = 754;

template <typename T>
using BitsOf = std::conditional_t<std::same_as<T, double>, std::uint64_t, std::uint32_t>;

template <typename T>
constexpr int fraction_digits = std::numeric_limits<T>::digits - 1;
template <typename T>
constexpr BitsOf<T> sign = BitsOf<T>{1} << (std::numeric_limits<BitsOf<T>>::digits - 1);
template <typename T>
constexpr BitsOf<T> infinity = (sign<T> - 1) >> fraction_digits<T> << fraction_digits<T>;

// The bits of the sum of numbers with these bits.
template <typename T>
BitsOf<T> sum_of(const std::vector<BitsOf<T>>& numbers) {
  ReproducibleSum<T> sum;
  for (const BitsOf<T> bits : numbers) sum += std::bit_cast<T>(bits);
  return std::bit_cast<BitsOf<T>>(sum.value());
}

template <typename T>
class ReproducibleBits : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ReproducibleBits, Types);

// Numbers below the least normal one are multiples of the least: their bits are the multiples, and so are the sum's.
TYPED_TEST(ReproducibleBits, OfTheLeastNumbersAddUp) {
  using Bits = BitsOf<TypeParam>;
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> multiples(0, (std::int64_t{1} << fraction_digits<TypeParam>) / 100);
  for (int round = 0; round < 100; ++round) {
    std::vector<Bits> numbers;
    std::int64_t total = 0;
    for (int k = 0; k < 100; ++k) {
      const std::int64_t multiple = multiples(random);
      const bool negative = random() % 2 == 0;
      total += negative ? -multiple : multiple;
      numbers.push_back(static_cast<Bits>(multiple) | (negative ? sign<TypeParam> : 0));
    }
    const Bits expected = total < 0 ? static_cast<Bits>(-total) | sign<TypeParam> : static_cast<Bits>(total);
    EXPECT_EQ(sum_of<TypeParam>(numbers), expected) << "seed " << seed << ", round " << round;
  }
}

TYPED_TEST(ReproducibleBits, KnowInfinityAndNaN) {
  using Bits = BitsOf<TypeParam>;
  constexpr Bits infinite = infinity<TypeParam>;
  constexpr Bits minus = infinite | sign<TypeParam>;
  constexpr Bits one = infinite >> 1 & infinite;
  EXPECT_EQ(sum_of<TypeParam>({one, infinite}), infinite);
  EXPECT_EQ(sum_of<TypeParam>({minus, one, minus}), minus);
  EXPECT_GT(sum_of<TypeParam>({infinite, minus}) & ~sign<TypeParam>, infinite);
  EXPECT_GT(sum_of<TypeParam>({one, infinite + 1}) & ~sign<TypeParam>, infinite);
  // Twice the largest number.
  EXPECT_EQ(sum_of<TypeParam>({infinite - 1, infinite - 1}), infinite);
}

// The mode of rounding is the program's, and every rank may have another.
TYPED_TEST(ReproducibleBits, AreRoundedToTheNearestWhereTheProcessorIsToldOtherwise) {
  using Bits = BitsOf<TypeParam>;
  std::mt19937_64 random(seed);
  std::vector<std::vector<Bits>> sums(50);
  std::vector<Bits> expected;
  for (auto& numbers : sums) {
    for (int k = 0; k < 20; ++k) {
      const Bits one = infinity<TypeParam> >> 1 & infinity<TypeParam>;
      numbers.push_back(one + static_cast<Bits>(random() % (Bits{3} << fraction_digits<TypeParam>)));
    }
    expected.push_back(sum_of<TypeParam>(numbers));
  }
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    std::vector<Bits> found;
    for (const auto& numbers : sums) found.push_back(sum_of<TypeParam>(numbers));
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(found, expected) << "mode " << mode;
  }
}

}  // namespace
}  // namespace tutti
