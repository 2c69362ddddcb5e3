/// @file
/// Logical and bitwise operators on integers and bool.

#include "kernels/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logic.cpp"
#include <hwy/foreach_target.h>

#include "kernels/dispatch.hpp"
#include "kernels/fold-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tutti::runtime::HWY_NAMESPACE {

enum class Connective { conjunction, disjunction, exclusion };

template <Connective which, typename Operand>
HWY_INLINE HWY_ATTR Operand connect(Operand a, Operand b) {
  if constexpr (which == Connective::conjunction) return hn::And(a, b);
  if constexpr (which == Connective::disjunction) return hn::Or(a, b);
  if constexpr (which == Connective::exclusion) return hn::Xor(a, b);
}

/// Bits know nothing of the width of their element.
template <Connective which>
struct Bitwise : PlainElements<std::uint8_t> {
  static HWY_INLINE HWY_ATTR Vector apply(Vector a, Vector b) { return connect<which>(a, b); }
};

/// 1 where the operator holds of "is not zero", otherwise 0.
template <Connective which, typename Lane>
struct Logical : PlainElements<Lane> {
  using Vector = typename PlainElements<Lane>::Vector;
  static constexpr auto tag = PlainElements<Lane>::tag;
  static HWY_INLINE HWY_ATTR Vector apply(Vector a, Vector b) {
    const auto zero = hn::Zero(tag);
    return hn::IfThenElseZero(connect<which>(hn::Ne(a, zero), hn::Ne(b, zero)), hn::Set(tag, 1));
  }
};

template <Connective which>
const KernelRow& bitwise_row() {
  using All = Bitwise<which>;
  static constexpr KernelRow row{nullptr,        kernel<All>, kernel<All>,    kernel<All, 2>, kernel<All, 4>,
                                 kernel<All, 8>, kernel<All>, kernel<All, 2>, kernel<All, 4>, kernel<All, 8>};
  return row;
}

template <Connective which>
const KernelRow& logical_row() {
  constexpr detail::Kernel byte = kernel<Logical<which, std::uint8_t>>;
  constexpr detail::Kernel two = kernel<Logical<which, std::uint16_t>>;
  constexpr detail::Kernel four = kernel<Logical<which, std::uint32_t>>;
  constexpr detail::Kernel eight = kernel<Logical<which, std::uint64_t>>;
  static constexpr KernelRow row{nullptr, byte, byte, two, four, eight, byte, two, four, eight};
  return row;
}

const KernelRow& logical_and_row() { return logical_row<Connective::conjunction>(); }
const KernelRow& logical_or_row() { return logical_row<Connective::disjunction>(); }
const KernelRow& logical_xor_row() { return logical_row<Connective::exclusion>(); }
const KernelRow& bitwise_and_row() { return bitwise_row<Connective::conjunction>(); }
const KernelRow& bitwise_or_row() { return bitwise_row<Connective::disjunction>(); }
const KernelRow& bitwise_xor_row() { return bitwise_row<Connective::exclusion>(); }

}  // namespace tutti::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tutti::runtime {

const KernelRow& logical_and_kernels() { return TUTTI_BEST_OF(logical_and_row)(); }
const KernelRow& logical_or_kernels() { return TUTTI_BEST_OF(logical_or_row)(); }
const KernelRow& logical_xor_kernels() { return TUTTI_BEST_OF(logical_xor_row)(); }
const KernelRow& bitwise_and_kernels() { return TUTTI_BEST_OF(bitwise_and_row)(); }
const KernelRow& bitwise_or_kernels() { return TUTTI_BEST_OF(bitwise_or_row)(); }
const KernelRow& bitwise_xor_kernels() { return TUTTI_BEST_OF(bitwise_xor_row)(); }

}  // namespace tutti::runtime
#endif
