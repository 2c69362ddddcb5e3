/// @file
/// 16-bit floats as elements whose vectors are floats: widened when loaded, rounded when stored, with the bits of
/// tutti/types.hpp.

#include <cstdint>

#include "kernels/fold-inl.hpp"
#include "tutti/detail/datatype.hpp"

#if defined(TUTTI_SMALL_FLOAT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TUTTI_SMALL_FLOAT_INL
#undef TUTTI_SMALL_FLOAT_INL
#else
#define TUTTI_SMALL_FLOAT_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tutti::runtime::HWY_NAMESPACE {

/// A vector of half the size in memory.
template <typename Format>
struct SmallFloat {
  using Stored = std::uint16_t;
  using Tag = hn::ScalableTag<float>;
  using Vector = hn::Vec<Tag>;
  using Bits = hn::Rebind<std::uint16_t, Tag>;
  static constexpr Tag tag{};
  static constexpr std::size_t granule = 1;

  static HWY_INLINE HWY_ATTR Vector load(const Stored* from) { return Format::widened(hn::LoadU(Bits(), from)); }
  template <Stores stores>
  static HWY_INLINE HWY_ATTR void store(Vector v, Stored* to) {
    // Streaming stores write 16 bytes or more.
    if constexpr (stores == Stores::streaming && hn::MaxLanes(Bits()) * sizeof(Stored) >= 16) {
      hn::Stream(Format::rounded(v), Bits(), to);
    } else {
      hn::StoreU(Format::rounded(v), Bits(), to);
    }
  }
};

struct Half : SmallFloat<Half> {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  // The processor converts as types.hpp does, NaN included.
  static HWY_INLINE HWY_ATTR Vector widened(hn::Vec<Bits> bits) {
    return hn::PromoteTo(tag, hn::BitCast(hn::Rebind<hwy::float16_t, Tag>(), bits));
  }
  static HWY_INLINE HWY_ATTR hn::Vec<Bits> rounded(Vector v) {
    return hn::BitCast(Bits(), hn::DemoteTo(hn::Rebind<hwy::float16_t, Tag>(), v));
  }
#else
  // Highway's own conversions differ from types.hpp in NaN and infinity.
  static HWY_INLINE HWY_ATTR Vector widened(hn::Vec<Bits> bits) {
    HWY_ALIGN std::uint16_t narrow[hn::MaxLanes(tag)];
    HWY_ALIGN float wide[hn::MaxLanes(tag)];
    hn::Store(bits, Bits(), narrow);
    for (std::size_t i = 0; i < hn::Lanes(tag); ++i) wide[i] = float16::from_bits(narrow[i]);
    return hn::Load(tag, wide);
  }
  static HWY_INLINE HWY_ATTR hn::Vec<Bits> rounded(Vector v) {
    HWY_ALIGN std::uint16_t narrow[hn::MaxLanes(tag)];
    HWY_ALIGN float wide[hn::MaxLanes(tag)];
    hn::Store(v, tag, wide);
    for (std::size_t i = 0; i < hn::Lanes(tag); ++i) narrow[i] = float16(wide[i]).bits();
    return hn::Load(Bits(), narrow);
  }
#endif
};

struct Brain : SmallFloat<Brain> {
  using Wide = hn::RebindToUnsigned<Tag>;

  static HWY_INLINE HWY_ATTR Vector widened(hn::Vec<Bits> bits) {
    return hn::BitCast(tag, hn::ShiftLeft<16>(hn::PromoteTo(Wide(), bits)));
  }
  /// The upper half, to nearest, ties to even; a NaN keeps its payload's upper bits and becomes quiet.
  static HWY_INLINE HWY_ATTR hn::Vec<Bits> rounded(Vector v) {
    const auto bits = hn::BitCast(Wide(), v);
    const auto upper = hn::ShiftRight<16>(bits);
    const auto odd = hn::And(upper, hn::Set(Wide(), 1));
    const auto number = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(Wide(), 0x7fff))));
    const auto nan = hn::RebindMask(Wide(), hn::IsNaN(v));
    const auto result = hn::IfThenElse(nan, hn::Or(upper, hn::Set(Wide(), 0x40)), number);
    return hn::DemoteTo(Bits(), hn::BitCast(hn::RebindToSigned<Tag>(), result));
  }
};

}  // namespace tutti::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
