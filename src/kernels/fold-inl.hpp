/// @file
/// Folding k arrays in one pass over memory, for the instruction set that is being compiled.
///
/// Included once for each instruction set, by files that foreach_target.h includes again and again. An `Element` says
/// how elements are combined, a vector at a time:
///
///     Stored                     the type of a lane in memory
///     Tag tag                    the Highway tag of the vectors that are computed with
///     granule                    lanes that belong together: two for a complex product, otherwise one
///     load(p), store<S>(v, p)    S streaming: p is aligned to the vector in memory
///     apply(a, b)                a ∘ b
///
/// Vectors stay in registers from the first operand to the last; results are written once. An element depends on no
/// other, so that results may overwrite an operand.

#include <cstdint>
#include <cstring>

#include <hwy/highway.h>

#include "kernels/copy.hpp"
#include "kernels/kernels.hpp"

#if defined(TUTTI_FOLD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TUTTI_FOLD_INL
#undef TUTTI_FOLD_INL
#else
#define TUTTI_FOLD_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tutti::runtime::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using detail::Stores;

/// Common part of elements whose vectors are computed with as they lie in memory.
template <typename Lane>
struct PlainElements {
  using Stored = Lane;
  using Tag = hn::ScalableTag<Lane>;
  using Vector = hn::Vec<Tag>;
  static constexpr Tag tag{};
  static constexpr std::size_t granule = 1;

  static HWY_INLINE HWY_ATTR Vector load(const Lane* from) { return hn::LoadU(tag, from); }
  template <Stores stores>
  static HWY_INLINE HWY_ATTR void store(Vector v, Lane* to) {
    if constexpr (stores == Stores::streaming) {
      hn::Stream(v, tag, to);
    } else {
      hn::StoreU(v, tag, to);
    }
  }
};

template <typename Element>
struct Arrays {
  using Stored = typename Element::Stored;
  Stored* into;
  const void* const* operands;
  int count;

  const Stored* operand(int k) const { return static_cast<const Stored*>(operands[k]); }
};

/// One vector from lane `at` on.
template <typename Element, Stores stores>
HWY_INLINE HWY_ATTR void fold_vector(const Arrays<Element>& arrays, std::size_t at) {
  auto v = Element::load(arrays.operand(0) + at);
  for (int k = 1; k < arrays.count; ++k) v = Element::apply(v, Element::load(arrays.operand(k) + at));
  Element::template store<stores>(v, arrays.into + at);
}

/// Four vectors: they hide the latency of an operation, and their loads are in flight together.
template <typename Element, Stores stores>
HWY_INLINE HWY_ATTR void fold_four(const Arrays<Element>& arrays, std::size_t at) {
  const std::size_t lanes = hn::Lanes(Element::tag);
  const auto* first = arrays.operand(0) + at;
  auto v0 = Element::load(first);
  auto v1 = Element::load(first + lanes);
  auto v2 = Element::load(first + 2 * lanes);
  auto v3 = Element::load(first + 3 * lanes);
  for (int k = 1; k < arrays.count; ++k) {
    const auto* next = arrays.operand(k) + at;
    v0 = Element::apply(v0, Element::load(next));
    v1 = Element::apply(v1, Element::load(next + lanes));
    v2 = Element::apply(v2, Element::load(next + 2 * lanes));
    v3 = Element::apply(v3, Element::load(next + 3 * lanes));
  }
  auto* const to = arrays.into + at;
  Element::template store<stores>(v0, to);
  Element::template store<stores>(v1, to + lanes);
  Element::template store<stores>(v2, to + 2 * lanes);
  Element::template store<stores>(v3, to + 3 * lanes);
}

/// Fewer lanes than a vector has, by way of a vector of them; the lanes beyond are zeros.
template <typename Element>
HWY_INLINE HWY_ATTR void fold_part(const Arrays<Element>& arrays, std::size_t at, std::size_t lanes) {
  HWY_ALIGN typename Element::Stored part[hn::MaxLanes(Element::tag)] = {};
  const std::size_t bytes = lanes * sizeof(part[0]);
  std::memcpy(part, arrays.operand(0) + at, bytes);
  auto v = Element::load(part);
  for (int k = 1; k < arrays.count; ++k) {
    std::memcpy(part, arrays.operand(k) + at, bytes);
    v = Element::apply(v, Element::load(part));
  }
  Element::template store<Stores::cached>(v, part);
  std::memcpy(arrays.into + at, part, bytes);
}

template <typename Element, Stores stores>
HWY_INLINE HWY_ATTR void fold_from(const Arrays<Element>& arrays, std::size_t at, std::size_t n) {
  const std::size_t lanes = hn::Lanes(Element::tag);
  for (; n - at >= 4 * lanes; at += 4 * lanes) fold_four<Element, stores>(arrays, at);
  for (; n - at >= lanes; at += lanes) fold_vector<Element, stores>(arrays, at);
  if (at < n) fold_part<Element>(arrays, at, n - at);
}

/// n lanes, of two operands or more.
template <typename Element>
HWY_NOINLINE HWY_ATTR void fold(const Arrays<Element>& arrays, std::size_t n, Stores stores) {
  const std::size_t lanes = hn::Lanes(Element::tag);
  constexpr std::size_t unit = Element::granule * sizeof(typename Element::Stored);
  const std::size_t vector = lanes * sizeof(typename Element::Stored);
  const std::size_t ahead = (vector - reinterpret_cast<std::uintptr_t>(arrays.into) % vector) % vector;
  const std::size_t head = ahead / sizeof(typename Element::Stored);
  if (stores == Stores::cached || ahead % unit != 0 || head >= n) {
    fold_from<Element, Stores::cached>(arrays, 0, n);
    return;
  }
  if (head > 0) fold_part<Element>(arrays, 0, head);
  fold_from<Element, Stores::streaming>(arrays, head, n);
}

/// The kernel of elements of `lanes` lanes each.
template <typename Element, std::size_t lanes = 1>
void kernel(void* into, const void* const* operands, int count, std::int64_t n, Stores stores, const void*) {
  using Stored = typename Element::Stored;
  const std::size_t all = static_cast<std::size_t>(n) * lanes;
  if (count == 1) {
    copy_bytes(into, operands[0], all * sizeof(Stored), stores);
  } else {
    fold<Element>({static_cast<Stored*>(into), operands, count}, all, stores);
  }
}

}  // namespace tutti::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
