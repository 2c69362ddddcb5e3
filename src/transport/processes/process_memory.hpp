/// @file
/// The memory of ranks that are processes of one machine: a segment that all have mapped, and each one's own.
#pragma once

#include <atomic>
#include <chrono>

#include "transport/processes/peer_arenas.hpp"
#include "transport/processes/segment.hpp"
#include "transport/processes/shared_heap.hpp"
#include "transport/shared/peer_memory.hpp"

namespace tutti::runtime {

/// Whether this rank may read the memory of others: unless TUTTI_PEER_READS=0. Throws `Error(invalid_argument)` where
/// that is neither 0 nor 1.
bool may_read_peers();

/// Processes map the segment and one another's arenas (src/heap) where they like: an address in the segment is told as
/// an offset into it, and one in a rank's arena as the rank and an offset. Other addresses are told as they are, and
/// reached with process_vm_readv and process_vm_writev where the system allows it, which each rank finds out for each
/// other rank and tells in its record.
class ProcessMemory final : public PeerMemory {
 public:
  /// The segment outlives it. All ranks have joined.
  explicit ProcessMemory(const Segment& segment);

  std::uint64_t address_of(const void* pointer) const noexcept override;
  std::byte* pointer_to(std::uint64_t address, std::size_t bytes) const override;
  std::byte* writable_pointer_to(std::uint64_t address, std::size_t bytes) const override;
  bool lies_open(const void* pointer, int rank) const override;
  bool reaches_private() const noexcept override;
  bool is_reached_by(int rank) const noexcept override;
  bool read(int rank, std::uint64_t from, void* to, std::size_t bytes) const noexcept override;
  std::size_t write(int rank, std::uint64_t to, const void* from, std::size_t bytes,
                    std::uint64_t gate) const noexcept override;
  std::optional<Refusal> take_refusal() const noexcept override;

  std::byte* allocate(std::size_t bytes) override;
  void free(std::byte* memory) noexcept override;
  bool is_common() const noexcept override { return false; }
  bool ended(int rank) const noexcept override;
  bool lost(int rank) const noexcept override;
  bool is_stopped(int rank) const override;
  void watch() noexcept override;
  bool is_alarmed() const noexcept override { return is_alarmed_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  void find_reach();
  bool reads_mark(int rank) const;
  bool reaches_each();
  Refusal fault(int rank, std::uint64_t at, const Refusal& refusal, const void* own) const noexcept;
  bool refuse(const Refusal& refusal) const noexcept;
  bool is_there(int rank) const noexcept;
  bool look_at(int rank) const noexcept;

  bool is_in_own_arena(const void* pointer) const noexcept {
    return reinterpret_cast<std::uintptr_t>(pointer) - arena_.base < arena_.bytes && is_in_arena_ != nullptr &&
           is_in_arena_(pointer);
  }
  std::uint64_t address_there(std::uint64_t address) const noexcept;

  const Segment& segment_;
  SharedHeap heap_;
  heap::ArenaDescription arena_;  // arena of this rank
  heap::IsInArena* is_in_arena_;  // test of this rank's arena
  mutable PeerArenas arenas_;
  Origin origin_;
  mutable std::atomic<RankRecord::Reach> common_reach_ = RankRecord::Reach::unknown;
  std::atomic<bool> is_alarmed_ = false;
};

}  // namespace tutti::runtime
