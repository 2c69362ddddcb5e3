/// @file
/// Elementwise reductions over arrays, for every primitive type. Plain loops that the compiler vectorizes.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <tuple>
#include <utility>

#include "tutti/detail/operator.hpp"

namespace tutti::runtime {

/// One reduction's kernels, by `Primitive`; null where it does not apply.
using KernelRow = std::array<detail::Kernel, detail::primitive_kinds>;

/// The C++ types of `detail::Primitive`, in its order; void for `none`.
using PrimitiveTypes = std::tuple<void, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                  std::uint16_t, std::uint32_t, std::uint64_t, float16, bfloat16, float, double,
                                  std::complex<float>, std::complex<double>>;

/// The kernel of `Element`, which has `static T apply(T a, T b)`. `into` may be `left` or `right`, exactly: an element
/// depends on no other, which the compiler is told because it cannot see it.
template <typename Element, typename T>
void kernel(void* into, const void* left, const void* right, std::int64_t n, const void*) {
  T* const o = static_cast<T*>(into);
  const T* const a = static_cast<const T*>(left);
  const T* const b = static_cast<const T*>(right);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) o[i] = Element::apply(a[i], b[i]);
}

template <typename Element, typename T>
concept AppliesTo = requires(T a, T b) {
  { Element::apply(a, b) } -> std::same_as<T>;
};

template <typename Element, typename T>
constexpr detail::Kernel kernel_or_null() {
  if constexpr (std::is_void_v<T>) {
    return nullptr;
  } else if constexpr (AppliesTo<Element, T>) {
    return kernel<Element, T>;
  } else {
    return nullptr;
  }
}

template <typename Element>
constexpr KernelRow kernel_row() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return KernelRow{kernel_or_null<Element, std::tuple_element_t<I, PrimitiveTypes>>()...};
  }
  (std::make_index_sequence<detail::primitive_kinds>());
}

extern const KernelRow sum_kernels;
extern const KernelRow product_kernels;
extern const KernelRow minimum_kernels;
extern const KernelRow maximum_kernels;
extern const KernelRow logical_and_kernels;
extern const KernelRow logical_or_kernels;
extern const KernelRow logical_xor_kernels;
extern const KernelRow bitwise_and_kernels;
extern const KernelRow bitwise_or_kernels;
extern const KernelRow bitwise_xor_kernels;

}  // namespace tutti::runtime
