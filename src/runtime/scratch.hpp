/// @file
/// Memory for intermediate results, kept for the next operation.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace tutti::runtime {

inline constexpr std::align_val_t scratch_alignment{64};

struct FreeScratch {
  void operator()(std::byte* memory) const { ::operator delete[](memory, scratch_alignment); }
};

/// Uninitialized memory, aligned to 64 bytes.
struct Scratch {
  std::unique_ptr<std::byte[], FreeScratch> memory;
  std::size_t bytes = 0;
};

/// One rank's free memory. For one thread.
class ScratchPool {
 public:
  /// At least `bytes` bytes: the smallest piece that is large enough, or a new one.
  Scratch take(std::size_t bytes);
  void give(Scratch scratch);

 private:
  std::vector<Scratch> free_;  // smallest first
};

}  // namespace tutti::runtime
