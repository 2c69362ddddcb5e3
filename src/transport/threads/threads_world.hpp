/// @file
/// Ranks that are threads of one process, where everyone reaches all memory.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "transport/interfaces/world.hpp"
#include "transport/rank_record.hpp"
#include "transport/shared/peer_memory.hpp"

namespace tutti::runtime {

/// A world whose records and communicators lie in memory of the process's own.
std::shared_ptr<World> threads_world(int ranks);

class ThreadsMemory final : public PeerMemory {
 public:
  explicit ThreadsMemory(std::span<const RankRecord> records) : records_(records) {}
  ~ThreadsMemory() override;

  std::uint64_t address_of(const void* pointer) const noexcept override {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }
  std::byte* pointer_to(std::uint64_t address, std::size_t) const noexcept override {
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));  // NOLINT: an address is what it is
  }
  bool reaches_private() const noexcept override { return true; }
  bool is_reached_by(int) const noexcept override { return true; }
  bool read(int rank, std::uint64_t from, void* to, std::size_t bytes) const noexcept override;
  std::size_t write(int rank, std::uint64_t to, const void* from, std::size_t bytes,
                    std::uint64_t gate) const noexcept override;

  std::byte* allocate(std::size_t bytes) override;
  void free(std::byte* memory) noexcept override;
  bool is_common() const noexcept override { return true; }
  bool ended(int rank) const noexcept override;
  bool lost(int rank) const noexcept override;

 private:
  std::span<const RankRecord> records_;
  Origin origin_;
  std::mutex mutex_;
  std::map<std::byte*, std::size_t> sizes_;  // sizes of what is allocated
};

}  // namespace tutti::runtime
