/// @file
/// Minimum and maximum. If either operand is NaN, so is the result.

#include <concepts>

#include "runtime/kernels/kernels.hpp"

namespace tutti::runtime {
namespace {

// What is ordered. float16 and bfloat16 compare as float.
template <typename T>
concept Ordered = requires(T a, T b) {
  { a < b } -> std::convertible_to<bool>;
};

// `a != a` holds for NaN alone; a NaN in b fails the comparison and is taken.
struct MinimumElement {
  template <Ordered T>
  static T apply(T a, T b) {
    return a < b || a != a ? a : b;
  }
};

struct MaximumElement {
  template <Ordered T>
  static T apply(T a, T b) {
    return b < a || a != a ? a : b;
  }
};

}  // namespace

const KernelRow minimum_kernels = kernel_row<MinimumElement>();
const KernelRow maximum_kernels = kernel_row<MaximumElement>();

}  // namespace tutti::runtime
