/// @file
/// Sum and product. Integers wrap around; 16-bit floats are computed in float and rounded once.

#include <concepts>
#include <type_traits>

#include "runtime/kernels/kernels.hpp"

namespace tutti::runtime {
namespace {

template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
template <typename T>
concept SmallFloat = std::same_as<T, float16> || std::same_as<T, bfloat16>;

// Unsigned and at least as wide as int: neither overflow nor promotion to a signed type makes the result undefined.
template <Integer T>
using Wrapping = std::common_type_t<std::make_unsigned_t<T>, unsigned>;

struct SumElement {
  template <Integer T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  }
  template <std::floating_point T>
  static T apply(T a, T b) {
    return a + b;
  }
  template <SmallFloat T>
  static T apply(T a, T b) {
    return T(static_cast<float>(a) + static_cast<float>(b));
  }
  template <std::floating_point T>
  static std::complex<T> apply(std::complex<T> a, std::complex<T> b) {
    return a + b;
  }
};

struct ProductElement {
  template <Integer T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  }
  template <std::floating_point T>
  static T apply(T a, T b) {
    return a * b;
  }
  template <SmallFloat T>
  static T apply(T a, T b) {
    return T(static_cast<float>(a) * static_cast<float>(b));
  }
  // The textbook's four products: std::complex would call a library function that mends infinities.
  template <std::floating_point T>
  static std::complex<T> apply(std::complex<T> a, std::complex<T> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
};

}  // namespace

const KernelRow sum_kernels = kernel_row<SumElement>();
const KernelRow product_kernels = kernel_row<ProductElement>();

}  // namespace tutti::runtime
