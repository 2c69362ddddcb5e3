/// @file
/// The memory that a rank hands out from its part of the segment, where every rank can read it in place.
#pragma once

#include <cstddef>
#include <map>
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
  /// Pages of smaller ones are kept for what is allocated next, up to so many bytes; then all of them go back.
  static constexpr std::size_t most_idle = std::size_t{4} << 20;

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
  void note_idle(std::size_t block, std::size_t bytes);
  void drop_idle();

  const Segment& segment_;
  std::size_t offset_;        // offset of the heap in the file
  mutable std::mutex mutex_;  // guards what follows
  heap::Space space_;
  // Pages of small blocks that were freed, end by begin; parts of them may be in use again.
  std::map<std::size_t, std::size_t> idle_;
  std::size_t idle_bytes_ = 0;
};

}  // namespace tutti::runtime
