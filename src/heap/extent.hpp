/// @file
/// How the room of a heap is divided.
#pragma once

#include <bit>
#include <cstddef>

namespace tutti::heap {

/// An extent of a heap: where it begins there, and how long it is. Extents double,
///
///     | 2 MiB | 2 MiB | 4 MiB | 8 MiB | … | 32 GiB |
///
/// so that a heap with room for more than a machine has memory is mapped piece by piece, by few calls.
struct Extent {
  static constexpr std::size_t least = std::size_t{2} << 20;

  std::size_t offset = 0;
  std::size_t bytes = 0;

  static constexpr Extent number(int index) {
    const std::size_t half = index == 0 ? 0 : least << (index - 1);
    return {half, index == 0 ? least : half};
  }
  /// The number of the extent that has byte `offset` of a heap.
  static constexpr int number_at(std::size_t offset) { return static_cast<int>(std::bit_width(offset / least)); }
  /// Whether an extent begins at that byte of a heap: what is allocated never lies on both sides.
  static constexpr bool begins_at(std::size_t offset) {
    return offset == 0 || (offset >= least && std::has_single_bit(offset));
  }
  /// The bytes of a heap of so many extents.
  static constexpr std::size_t sum(int extents) { return least << (extents - 1); }
};

}  // namespace tutti::heap
