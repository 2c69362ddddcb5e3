/// @file
/// Mappings of a segment in this process.
///
/// The control part is mapped at once. A rank's heap has room for more than a machine has memory, and is mapped as it
/// grows: it is a row of extents whose sizes double, and a process maps an extent when it first uses it, be it to
/// allocate from its own heap or to read in another's. Core dumps leave all of it out: the kernel would give every hole
/// of the file a page while it writes one.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "heap/space.hpp"
#include "transport/processes/segment_file.hpp"

namespace tutti::runtime {

/// Says where in a file the addresses of its mappings lie. Three tables of 512 entries lead from an address to its unit
/// of 2 MiB, as a processor's page tables do: a look takes three loads at most, and one for most addresses that are
/// mapped elsewhere. Any thread may look while one adds.
class AddressIndex {
 public:
  static constexpr std::size_t unit = std::size_t{2} << 20;
  /// No offset of a file.
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// `bytes` of the file, from `offset` on, are mapped at `memory`; all three are multiples of a unit. One thread at a
  /// time.
  void add(const std::byte* memory, std::size_t bytes, std::uint64_t offset) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    for (std::size_t at = 0; at < bytes; at += unit) {
      // Release: who finds the entry sees all that was done before the memory was added.
      entry(address + at).store(offset + at + 1, std::memory_order_release);
    }
  }

  /// Returns the address's offset in the file; `none` if it is not mapped there.
  std::uint64_t offset_of(const void* pointer) const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address >> 48 != 0) return none;
    // Acquire, all three: pairs with the releases of add().
    const Middle* const middle = top_[part(address, 2)].load(std::memory_order_acquire);
    if (middle == nullptr) return none;
    const Leaf* const leaf = middle->leaves[part(address, 1)].load(std::memory_order_acquire);
    if (leaf == nullptr) return none;
    const std::uint64_t found = leaf->offsets[part(address, 0)].load(std::memory_order_acquire);
    return found == 0 ? none : found - 1 + address % unit;
  }

  AddressIndex() = default;
  AddressIndex(const AddressIndex&) = delete;
  AddressIndex& operator=(const AddressIndex&) = delete;
  ~AddressIndex() {
    for (auto& middle : top_) delete middle.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t fanout = 512;

  struct Leaf {
    std::array<std::atomic<std::uint64_t>, fanout> offsets{};  // offsets of units, plus one; 0: not mapped
  };
  struct Middle {
    std::array<std::atomic<Leaf*>, fanout> leaves{};
    ~Middle() {
      for (auto& leaf : leaves) delete leaf.load(std::memory_order_relaxed);
    }
  };

  static std::size_t part(std::uintptr_t address, unsigned level) { return (address / unit >> (9 * level)) % fanout; }

  /// The table that the pointer leads to, made where it is missing.
  template <typename Table>
  static Table& table(std::atomic<Table*>& pointer) {
    Table* found = pointer.load(std::memory_order_relaxed);
    if (found == nullptr) {
      found = new Table;
      // Release: publishes the empty table.
      pointer.store(found, std::memory_order_release);
    }
    return *found;
  }

  std::atomic<std::uint64_t>& entry(std::uintptr_t address) {
    return table(table(top_[part(address, 2)]).leaves[part(address, 1)]).offsets[part(address, 0)];
  }

  std::array<std::atomic<Middle*>, fanout> top_{};
};

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
  /// Returns the offset of the address in the file; `AddressIndex::none` if that is no memory of the segment.
  std::uint64_t offset_of(const void* pointer) const noexcept { return index_.offset_of(pointer); }
  /// Returns the address of byte `offset` of the file; the whole extent that it belongs to is mapped. Throws
  /// `Error(unsupported)` if there are no addresses left for that, and `Error(invalid_argument)` if the file has no
  /// such byte.
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
  std::mutex mutex_;  // guards that which is mapped
  std::unique_ptr<std::atomic<std::byte*>[]>
      extents_;  // extents of rank 0's heap, then of rank 1's, …; null: not mapped
};

}  // namespace tutti::runtime
