/// @file
/// 16-bit floats, widened and rounded by the kernels with the bits of tutti/types.hpp.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/instruction_sets.hpp"
#include "support/values.hpp"
#include "tutti/operators.hpp"

namespace tutti::detail {
namespace {

constexpr std::uint64_t conversion_seed = 4;

/// Each of the 65,536 values of a 16-bit float is widened, and added to -0, which changes no number, rounded.
template <typename T>
void expect_conversions() {
  constexpr std::int64_t n = 1 << 16;
  std::vector<T> values, zeros(n, T(-0.0F)), sums(n);
  for (std::int64_t i = 0; i < n; ++i) values.push_back(T::from_bits(static_cast<std::uint16_t>(i)));
  testing::for_each_instruction_set([&] {
    const void* operands[] = {values.data(), zeros.data()};
    kernel_for(Reduction::sum, primitive_of<T>())(sums.data(), operands, 2, n, Stores::cached, nullptr);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      // A sum's NaN is quiet, and otherwise the only NaN among the operands.
      const T wanted(static_cast<float>(values[i]));
      ASSERT_EQ(sums[i].bits(), wanted.bits()) << i;
    }
  });
}

TEST(KernelConversions, OfEveryFloat16) { expect_conversions<float16>(); }
TEST(KernelConversions, OfEveryBfloat16) { expect_conversions<bfloat16>(); }

/// Products of 16-bit floats fall between the values of their type, also below its normal numbers and beyond its range.
template <typename T>
void expect_rounding() {
  constexpr std::int64_t n = 1 << 16;
  std::vector<T> a, b, products(n);
  for (std::int64_t i = 0; i < n; ++i) {
    a.push_back(T::from_bits(static_cast<std::uint16_t>(testing::mixed(conversion_seed, 0, i))));
    b.push_back(T::from_bits(static_cast<std::uint16_t>(testing::mixed(conversion_seed, 1, i))));
  }
  testing::for_each_instruction_set([&] {
    const void* operands[] = {a.data(), b.data()};
    kernel_for(Reduction::product, primitive_of<T>())(products.data(), operands, 2, n, Stores::cached, nullptr);
    for (std::size_t i = 0; i < products.size(); ++i) {
      const T wanted(static_cast<float>(a[i]) * static_cast<float>(b[i]));
      if (std::isnan(wanted) && std::isnan(products[i])) continue;  // any NaN will do
      ASSERT_EQ(products[i].bits(), wanted.bits()) << "seed " << conversion_seed << ", element " << i;
    }
  });
}

TEST(KernelConversions, RoundFloat16) { expect_rounding<float16>(); }
TEST(KernelConversions, RoundBfloat16) { expect_rounding<bfloat16>(); }

}  // namespace
}  // namespace tutti::detail
