/// @file
/// 16-bit floats, matrix views, and memory that moves.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tutti/memory.hpp"
#include "tutti/reshape.hpp"
#include "tutti/types.hpp"

namespace tutti {
namespace {

template <typename T>
class SmallFloats : public ::testing::Test {};
using Types = ::testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(SmallFloats, Types);

std::uint16_t exponent_mask(float16) { return 0x7c00; }
std::uint16_t exponent_mask(bfloat16) { return 0x7f80; }

template <typename T>
bool is_nan(std::uint16_t bits) {
  return (bits & 0x7fffU) > exponent_mask(T(0.0F));
}

TYPED_TEST(SmallFloats, EveryValueSurvivesTheWayToFloatAndBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto value = TypeParam::from_bits(static_cast<std::uint16_t>(bits));
    const TypeParam back(static_cast<float>(value));
    if (is_nan<TypeParam>(value.bits())) {
      EXPECT_TRUE(std::isnan(static_cast<float>(value)) && is_nan<TypeParam>(back.bits())) << bits;
    } else {
      EXPECT_EQ(back.bits(), bits);
    }
  }
}

// Halfway between two neighbours goes to the even one, a little more or less to the nearer one; the last halfway point
// is infinity.
TYPED_TEST(SmallFloats, RoundsToTheNearestTiesToEven) {
  const std::uint16_t infinity = exponent_mask(TypeParam(0.0F));
  for (std::uint16_t bits = 0; bits + 1 < infinity; ++bits) {
    const double low = static_cast<float>(TypeParam::from_bits(bits));
    const double high = static_cast<float>(TypeParam::from_bits(static_cast<std::uint16_t>(bits + 1)));
    const auto middle = static_cast<float>((low + high) / 2);
    if (static_cast<double>(middle) != (low + high) / 2) continue;  // below the floats' own resolution
    const int even = bits % 2 == 0 ? bits : bits + 1;
    EXPECT_EQ(TypeParam(middle).bits(), even);
    EXPECT_EQ(TypeParam(-middle).bits(), even | 0x8000);
    EXPECT_EQ(TypeParam(std::nextafter(middle, 0.0F)).bits(), bits);
    EXPECT_EQ(TypeParam(std::nextafter(middle, std::numeric_limits<float>::infinity())).bits(), bits + 1);
  }
}

TYPED_TEST(SmallFloats, TooLargeIsInfinite) {
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::max()).bits(), exponent_mask(TypeParam(0.0F)));
  EXPECT_EQ(TypeParam(-std::numeric_limits<float>::infinity()).bits(), exponent_mask(TypeParam(0.0F)) | 0x8000);
}

TEST(Float16, KnowsItsLimits) {
  EXPECT_EQ(static_cast<float>(float16(65504.0F)), 65504.0F);
  EXPECT_EQ(float16(65519.99F).bits(), 0x7bff);
  EXPECT_EQ(float16(65520.0F).bits(), 0x7c00);
  EXPECT_EQ(static_cast<float>(float16::from_bits(1)), 0x1p-24F);
  EXPECT_EQ(float16(0x1p-25F).bits(), 0);
  EXPECT_EQ(float16(0x1.000002p-25F).bits(), 1);
}

TEST(Reshape, SeesColumnsInPlace) {
  std::vector<int> data(6);
  std::iota(data.begin(), data.end(), 0);
  const auto matrix = reshape(data, 2, 3);
  EXPECT_EQ(matrix(1, 2), 5);
  matrix(0, 1) = 20;
  EXPECT_EQ(data[2], 20);
  EXPECT_EQ(matrix.column(1).data(), &data[2]);
  EXPECT_EQ(matrix.column(1).size(), 2U);
  EXPECT_EQ(matrix.columns(1, 2)(1, 1), 5);
  EXPECT_EQ(matrix.elements().data(), data.data());
  EXPECT_EQ(reshape(matrix.elements(), 3, 2)(0, 1), 3);
}

TEST(Reshape, RefusesWhatDoesNotFit) {
  std::vector<int> data(6);
  EXPECT_THROW(reshape(data, 2, 2), Error);
  EXPECT_THROW(reshape(data, -2, -3), Error);
  EXPECT_THROW(reshape(data, 0, 6), Error);
  EXPECT_EQ(reshape(std::span<int>(), 0, 5).columns(), 5);
}

TEST(Memory, ThatWasMovedFromIsEmpty) {
  const auto made = [] {
    return Memory<int>(std::shared_ptr<void>(new int[3]{1, 2, 3}, std::default_delete<int[]>()), 3);
  };
  Memory<int> first = made();
  Memory<int> second = std::move(first);
  EXPECT_EQ(std::accumulate(second.begin(), second.end(), 0), 6);
  EXPECT_TRUE(first.empty());  // NOLINT: that is the law
  EXPECT_EQ(first.begin(), first.end());
  first = std::move(second);
  EXPECT_EQ(first.size(), 3U);
  EXPECT_TRUE(second.empty());  // NOLINT: as above
  EXPECT_EQ(second.begin(), second.end());
}

}  // namespace
}  // namespace tutti
