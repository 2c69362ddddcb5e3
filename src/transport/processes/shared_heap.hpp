/// @file
/// The memory that a rank hands out from its part of the segment, where every rank can read it in place.
#pragma once

#include <cstddef>
#include <mutex>

#include "heap/space.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::runtime {

/// Blocks of a Space. What it hands out is zero, and has pages already, so that
/// touching it cannot fail. A block lies within one extent of the heap (SegmentMap). Thread-safe within the process.
/// The segment outlives it.
class SharedHeap {
 public:
  /// Freed blocks of this size and more give their pages back.
  static constexpr std::size_t large = std::size_t{1} << 17;

  SharedHeap(const Segment& segment, int rank);

  /// At least `bytes` bytes at an address that `alignment` divides: a power of two up to 2 MiB, of which less than
  /// a cache line counts as a line. Zero bytes get an address of their own.
  /// Throws `Error(invalid_argument)` for another alignment, and `Error(unsupported)` where the heap, the
  /// machine's shared memory or this process's addresses have no room.
  std::byte* allocate(std::size_t bytes, std::size_t alignment = 64);
  /// Null is allowed. Throws `Error(invalid_argument)` for what `allocate` has not returned or is free already.
  void free(std::byte* address);

  /// Bytes handed out and not freed, with what rounding adds.
  std::size_t used() const;

 private:
  const Segment& segment_;
  std::size_t offset_;        // of the heap in the file
  mutable std::mutex mutex_;  // guards what follows
  heap::Space space_;
};

}  // namespace tutti::runtime
