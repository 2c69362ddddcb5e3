/// @file
/// Logical and bitwise operators on integers and bool.

#include <concepts>

#include "runtime/kernels/kernels.hpp"

namespace tutti::runtime {
namespace {

struct LogicalAndElement {
  template <std::integral T>
  static T apply(T a, T b) {
    return static_cast<T>((a != T{}) & (b != T{}));
  }
};

struct LogicalOrElement {
  template <std::integral T>
  static T apply(T a, T b) {
    return static_cast<T>((a != T{}) | (b != T{}));
  }
};

struct LogicalXorElement {
  template <std::integral T>
  static T apply(T a, T b) {
    return static_cast<T>((a != T{}) ^ (b != T{}));
  }
};

struct BitwiseAndElement {
  template <std::integral T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};

struct BitwiseOrElement {
  template <std::integral T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};

struct BitwiseXorElement {
  template <std::integral T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

}  // namespace

const KernelRow logical_and_kernels = kernel_row<LogicalAndElement>();
const KernelRow logical_or_kernels = kernel_row<LogicalOrElement>();
const KernelRow logical_xor_kernels = kernel_row<LogicalXorElement>();
const KernelRow bitwise_and_kernels = kernel_row<BitwiseAndElement>();
const KernelRow bitwise_or_kernels = kernel_row<BitwiseOrElement>();
const KernelRow bitwise_xor_kernels = kernel_row<BitwiseXorElement>();

}  // namespace tutti::runtime
