/// @file
/// Finds what is mapped at an address, without locks.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

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

  /// Where in the file the address lies; `none` where that is not mapped there.
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
    std::array<std::atomic<std::uint64_t>, fanout> offsets{};  // of units, plus one; 0: not mapped
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

}  // namespace tutti::runtime
