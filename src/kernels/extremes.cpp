/// @file
/// Minimum and maximum. If either operand is NaN, so is the result.

#include "kernels/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/extremes.cpp"
#include <hwy/foreach_target.h>

#include "kernels/dispatch.hpp"
#include "kernels/fold-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tutti::runtime::HWY_NAMESPACE {

enum class Extreme { minimum, maximum };

template <Extreme which, typename Lane>
struct Integer : PlainElements<Lane> {
  using Vector = typename PlainElements<Lane>::Vector;
  static HWY_INLINE HWY_ATTR Vector apply(Vector a, Vector b) {
    return which == Extreme::minimum ? hn::Min(a, b) : hn::Max(a, b);
  }
};

/// a where it is better or NaN; a NaN in b fails the comparison and is taken. The processor's own minimum drops NaN.
template <Extreme which, typename Lane>
struct Float : PlainElements<Lane> {
  using Vector = typename PlainElements<Lane>::Vector;
  static HWY_INLINE HWY_ATTR Vector apply(Vector a, Vector b) {
    const auto better = which == Extreme::minimum ? hn::Lt(a, b) : hn::Lt(b, a);
    return hn::IfThenElse(hn::Or(better, hn::IsNaN(a)), a, b);
  }
};

/// 16-bit floats, compared as integers: the bits without the sign, negated if the sign is set, are in the order of the
/// values, and both zeros are 0. Above `infinity` lie the NaNs.
template <Extreme which, std::int16_t infinity>
struct SmallFloatExtreme : PlainElements<std::int16_t> {
  static HWY_INLINE HWY_ATTR Vector apply(Vector a, Vector b) {
    const auto better = which == Extreme::minimum ? hn::Lt(key(a), key(b)) : hn::Lt(key(b), key(a));
    return hn::IfThenElse(hn::Or(is_nan(a), hn::AndNot(is_nan(b), better)), a, b);
  }

 private:
  static HWY_INLINE HWY_ATTR Vector magnitude(Vector v) { return hn::And(v, hn::Set(tag, 0x7fff)); }
  static HWY_INLINE HWY_ATTR Vector key(Vector v) {
    const auto sign = hn::ShiftRight<15>(v);
    return hn::Sub(hn::Xor(magnitude(v), sign), sign);
  }
  static HWY_INLINE HWY_ATTR hn::Mask<Tag> is_nan(Vector v) { return hn::Gt(magnitude(v), hn::Set(tag, infinity)); }
};

template <Extreme which>
const KernelRow& extreme_row() {
  // False and true are 0 and 1 as bools.
  static constexpr KernelRow row{nullptr,
                                 kernel<Integer<which, std::uint8_t>>,
                                 kernel<Integer<which, std::int8_t>>,
                                 kernel<Integer<which, std::int16_t>>,
                                 kernel<Integer<which, std::int32_t>>,
                                 kernel<Integer<which, std::int64_t>>,
                                 kernel<Integer<which, std::uint8_t>>,
                                 kernel<Integer<which, std::uint16_t>>,
                                 kernel<Integer<which, std::uint32_t>>,
                                 kernel<Integer<which, std::uint64_t>>,
                                 kernel<SmallFloatExtreme<which, 0x7c00>>,
                                 kernel<SmallFloatExtreme<which, 0x7f80>>,
                                 kernel<Float<which, float>>,
                                 kernel<Float<which, double>>,
                                 nullptr,
                                 nullptr};
  return row;
}

const KernelRow& minimum_row() { return extreme_row<Extreme::minimum>(); }
const KernelRow& maximum_row() { return extreme_row<Extreme::maximum>(); }

}  // namespace tutti::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tutti::runtime {

const KernelRow& minimum_kernels() { return TUTTI_BEST_OF(minimum_row)(); }
const KernelRow& maximum_kernels() { return TUTTI_BEST_OF(maximum_row)(); }

}  // namespace tutti::runtime
#endif
