/// @file
/// Pages of memory, and multiples of anything.
#pragma once

#include <cstddef>

namespace tutti::heap {

/// Bytes of a page, as the processors that tutti runs on divide memory.
inline constexpr std::size_t page = 4096;

/// The least multiple that is no less than `bytes`.
constexpr std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

}  // namespace tutti::heap
