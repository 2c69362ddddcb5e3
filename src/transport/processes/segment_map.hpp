/// @file
/// What of a segment this process has mapped.
///
/// The control part is mapped at once. A rank's heap has room for more than a machine has memory, and is mapped as it
/// grows: it is a row of extents whose sizes double, and a process maps an extent when it first uses it, be it to
/// allocate from its own heap or to read in another's. Core dumps leave all of it out: the kernel would give every hole
/// of the file a page while it writes one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "heap/extent.hpp"
#include "transport/processes/address_index.hpp"
#include "transport/processes/segment_file.hpp"

namespace tutti::runtime {

using heap::Extent;

/// The extents of a heap.
inline constexpr int extent_count = 16;

static_assert(Extent::least == AddressIndex::unit);

/// The bytes of a heap.
inline constexpr std::size_t heap_size = Extent::sum(extent_count);

/// Thread-safe.
class SegmentMap {
 public:
  /// Maps the first `control_bytes` of the file, a multiple of 2 MiB; as many heaps as there are ranks follow them.
  /// Throws `Error(unsupported)` where there are no addresses left for them.
  SegmentMap(SegmentFile file, std::size_t control_bytes, int ranks);
  SegmentMap(const SegmentMap&) = delete;
  SegmentMap& operator=(const SegmentMap&) = delete;
  ~SegmentMap();

  const SegmentFile& file() const { return file_; }
  std::byte* control() const { return control_; }
  /// Where in the file the address lies; `AddressIndex::none` where that is no memory of the segment.
  std::uint64_t offset_of(const void* pointer) const noexcept { return index_.offset_of(pointer); }
  /// Where byte `offset` of the file lies here; the whole extent that it belongs to is mapped.
  /// Throws `Error(unsupported)` where there are no addresses left for that, and `Error(invalid_argument)` where the
  /// file has no such byte.
  std::byte* at(std::uint64_t offset) {
    if (offset < control_bytes_) return control_ + offset;
    const std::uint64_t beyond = offset - control_bytes_;
    const int index = Extent::number_at(beyond % heap_size);
    const std::size_t number = beyond / heap_size * extent_count + static_cast<std::size_t>(index);
    // Acquire: pairs with map_extent() of another thread.
    std::byte* const begin =
        number < heaps_ * extent_count ? extents_[number].load(std::memory_order_acquire) : nullptr;
    return (begin != nullptr ? begin : map_extent(number)) + (beyond % heap_size - Extent::number(index).offset);
  }

 private:
  std::byte* map_extent(std::size_t number);
  std::byte* map(std::uint64_t offset, std::size_t bytes);
  bool map_by_descriptor(std::byte* place, std::uint64_t offset, std::size_t bytes) const;
  bool map_by_address(std::byte* place, std::uint64_t offset, std::size_t bytes) const;

  SegmentFile file_;
  std::size_t control_bytes_;
  std::size_t heaps_;
  std::byte* control_ = nullptr;
  AddressIndex index_;
  std::mutex mutex_;                                    // guards that which is mapped
  std::unique_ptr<std::atomic<std::byte*>[]> extents_;  // of rank 0's heap, then of rank 1's, …; null: not mapped
};

}  // namespace tutti::runtime
