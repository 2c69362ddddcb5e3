#include "kernels/kernels.hpp"

#include <complex>
#include <concepts>

namespace tutti::detail {
namespace {

template <typename T>
void divide(void* data, std::int64_t n, int divisor) {
  T* const values = static_cast<T*>(data);
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (std::same_as<T, float16> || std::same_as<T, bfloat16>) {
      values[i] = T(static_cast<float>(values[i]) / static_cast<float>(divisor));
    } else if constexpr (std::floating_point<T>) {
      values[i] /= static_cast<T>(divisor);
    } else {
      values[i] /= static_cast<typename T::value_type>(divisor);
    }
  }
}

}  // namespace

Kernel kernel_for(Reduction reduction, Primitive primitive) {
  using namespace runtime;
  using Row = const KernelRow& (*)();
  constexpr Row rows[reduction_kinds] = {nullptr,
                                         sum_kernels,
                                         product_kernels,
                                         minimum_kernels,
                                         maximum_kernels,
                                         logical_and_kernels,
                                         logical_or_kernels,
                                         logical_xor_kernels,
                                         bitwise_and_kernels,
                                         bitwise_or_kernels,
                                         bitwise_xor_kernels};
  const Row row = rows[static_cast<std::size_t>(reduction)];
  return row == nullptr ? nullptr : row()[static_cast<std::size_t>(primitive)];
}

Divide divide_for(Primitive primitive) {
  switch (primitive) {
    case Primitive::half:
      return divide<float16>;
    case Primitive::brain:
      return divide<bfloat16>;
    case Primitive::single:
      return divide<float>;
    case Primitive::twice:
      return divide<double>;
    case Primitive::complex_single:
      return divide<std::complex<float>>;
    case Primitive::complex_twice:
      return divide<std::complex<double>>;
    default:
      return nullptr;
  }
}

}  // namespace tutti::detail
