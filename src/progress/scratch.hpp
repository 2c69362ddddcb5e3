/// @file
/// Memory for intermediate results, kept for the next operation.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "transport/world.hpp"

namespace tutti::runtime {

/// Uninitialized memory that peers reach in place, aligned to 64 bytes. To be given back to its pool.
struct Scratch {
  std::byte* memory = nullptr;
  std::size_t bytes = 0;
};

/// One rank's free memory. Thread-safe.
class ScratchPool {
 public:
  explicit ScratchPool(World& world) : world_(world) {}
  ScratchPool(const ScratchPool&) = delete;
  ScratchPool& operator=(const ScratchPool&) = delete;
  ~ScratchPool();

  /// At least `bytes` bytes: the smallest piece that is large enough, or a new one.
  Scratch take(std::size_t bytes);
  void give(Scratch scratch);

 private:
  World& world_;
  std::mutex mutex_;
  std::vector<Scratch> free_;  // smallest first
};

}  // namespace tutti::runtime
