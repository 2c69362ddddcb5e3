/// @file
/// Pages of memory: their size, and the size from which on a block is shared.
#pragma once

#include <cstddef>

namespace tutti::heap {

/// Bytes of a page, as the processors that tutti runs on divide memory.
inline constexpr std::size_t page = 4096;

/// Bytes from which on a block of a program's heap is shared: messages in it then take a half to a quarter of the time
/// that they take through memory of their own, where every rank has a core. Shorter ones gain nothing.
inline constexpr std::size_t shared_from = std::size_t{16} << 10;

/// The least multiple that is no less than `bytes`.
constexpr std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

}  // namespace tutti::heap
