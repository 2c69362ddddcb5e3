/// @file
/// Moving and combining elements between lists of slices.
#pragma once

#include <span>

#include "runtime/transport/message.hpp"
#include "tutti/detail/operator.hpp"

namespace tutti::runtime {

/// A list of slices in someone's memory.
struct Extent {
  std::span<const Slice> slices;
  const Bindings* bindings = nullptr;
};

/// to = from. Both have the same number of elements, however they are cut, and do not overlap.
void copy(const Extent& to, const Extent& from);

/// into = left ∘ right, elementwise. All three have the same number of elements; `into` may coincide with one of the
/// others, element by element.
void combine(const Extent& into, const Extent& left, const Extent& right, const detail::Operator& op);

}  // namespace tutti::runtime
