/// @file
/// Sum and product. Signed integers are added and multiplied as unsigned ones, which wrap around with the same bits.

#include <complex>

#include "kernels/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/arithmetic.cpp"
#include <hwy/foreach_target.h>

#include "kernels/dispatch.hpp"
#include "kernels/fold-inl.hpp"
#include "kernels/small_float-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tutti::runtime::HWY_NAMESPACE {

template <typename Base>
struct Sum : Base {
  using Vector = typename Base::Vector;
  static HWY_INLINE HWY_ATTR Vector apply(Vector a, Vector b) { return hn::Add(a, b); }
};

template <typename Base>
struct Product : Base {
  using Vector = typename Base::Vector;
  static HWY_INLINE HWY_ATTR Vector apply(Vector a, Vector b) { return hn::Mul(a, b); }
};

#if HWY_TARGET == HWY_SCALAR  // vectors of one lane have no neighbours

struct ByteProduct : PlainElements<std::uint8_t> {
  static HWY_INLINE Vector apply(Vector a, Vector b) {
    return hn::Set(tag, static_cast<std::uint8_t>(hn::GetLane(a) * hn::GetLane(b)));
  }
};

template <typename Lane>
void complex_product(void* into, const void* const* operands, int count, std::int64_t n, Stores stores, const void*) {
  using T = std::complex<Lane>;
  if (count == 1) return copy_bytes(into, operands[0], static_cast<std::size_t>(n) * sizeof(T), stores);
  for (std::int64_t i = 0; i < n; ++i) {
    T a = static_cast<const T*>(operands[0])[i];
    for (int k = 1; k < count; ++k) {
      const T b = static_cast<const T*>(operands[k])[i];
      a = {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    }
    static_cast<T*>(into)[i] = a;
  }
}

#else

/// No processor multiplies bytes: those at even places and those at odd ones are multiplied as 16-bit numbers.
struct ByteProduct : PlainElements<std::uint8_t> {
  static HWY_INLINE HWY_ATTR Vector apply(Vector a, Vector b) {
    const hn::Repartition<std::uint16_t, Tag> wide;
    const auto x = hn::BitCast(wide, a);
    const auto y = hn::BitCast(wide, b);
    const auto even = hn::And(hn::Mul(x, y), hn::Set(wide, 0xff));
    const auto odd = hn::ShiftLeft<8>(hn::Mul(hn::ShiftRight<8>(x), hn::ShiftRight<8>(y)));
    return hn::BitCast(tag, hn::Or(even, odd));
  }
};

/// The textbook's four products: ac - bd and ad + bc, each product and sum rounded.
template <typename Lane>
struct ComplexProduct : PlainElements<Lane> {
  using Vector = typename PlainElements<Lane>::Vector;
  static constexpr std::size_t granule = 2;
  static HWY_INLINE HWY_ATTR Vector apply(Vector a, Vector b) {
    const auto straight = hn::Mul(hn::DupEven(a), b);
    const auto crossed = hn::Mul(hn::DupOdd(a), hn::Reverse2(PlainElements<Lane>::tag, b));
    return hn::OddEven(hn::Add(straight, crossed), hn::Sub(straight, crossed));
  }
};

template <typename Lane>
constexpr detail::Kernel complex_product = kernel<ComplexProduct<Lane>, 2>;

#endif

const KernelRow& sum_row() {
  constexpr detail::Kernel byte = kernel<Sum<PlainElements<std::uint8_t>>>;
  constexpr detail::Kernel two = kernel<Sum<PlainElements<std::uint16_t>>>;
  constexpr detail::Kernel four = kernel<Sum<PlainElements<std::uint32_t>>>;
  constexpr detail::Kernel eight = kernel<Sum<PlainElements<std::uint64_t>>>;
  static constexpr KernelRow row{nullptr,
                                 nullptr,
                                 byte,
                                 two,
                                 four,
                                 eight,
                                 byte,
                                 two,
                                 four,
                                 eight,
                                 kernel<Sum<Half>>,
                                 kernel<Sum<Brain>>,
                                 kernel<Sum<PlainElements<float>>>,
                                 kernel<Sum<PlainElements<double>>>,
                                 kernel<Sum<PlainElements<float>>, 2>,
                                 kernel<Sum<PlainElements<double>>, 2>};
  return row;
}

const KernelRow& product_row() {
  constexpr detail::Kernel byte = kernel<ByteProduct>;
  constexpr detail::Kernel two = kernel<Product<PlainElements<std::uint16_t>>>;
  constexpr detail::Kernel four = kernel<Product<PlainElements<std::uint32_t>>>;
  constexpr detail::Kernel eight = kernel<Product<PlainElements<std::uint64_t>>>;
  static constexpr KernelRow row{nullptr,
                                 nullptr,
                                 byte,
                                 two,
                                 four,
                                 eight,
                                 byte,
                                 two,
                                 four,
                                 eight,
                                 kernel<Product<Half>>,
                                 kernel<Product<Brain>>,
                                 kernel<Product<PlainElements<float>>>,
                                 kernel<Product<PlainElements<double>>>,
                                 complex_product<float>,
                                 complex_product<double>};
  return row;
}

}  // namespace tutti::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tutti::runtime {

const KernelRow& sum_kernels() { return TUTTI_BEST_OF(sum_row)(); }
const KernelRow& product_kernels() { return TUTTI_BEST_OF(product_row)(); }

}  // namespace tutti::runtime
#endif
