#include "progress/rank_state.hpp"

#include <algorithm>

namespace tutti::runtime {
namespace {

// Number of blocks for the operations that are commonly in flight; more are given back to the system.
constexpr std::size_t most_kept = 16;

bool smaller(const Scratch& scratch, std::size_t bytes) { return scratch.bytes < bytes; }

}  // namespace

ScratchPool::~ScratchPool() {
  for (const Scratch& scratch : free_) allocator_.free(scratch.memory);
}

Scratch ScratchPool::take(std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::lower_bound(free_.begin(), free_.end(), bytes, smaller);
    if (found != free_.end()) {
      const Scratch scratch = *found;
      free_.erase(found);
      return scratch;
    }
  }
  return {allocator_.allocate(bytes), bytes};
}

void ScratchPool::give(Scratch scratch) {
  if (scratch.memory == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (free_.size() == most_kept) {
    allocator_.free(free_.front().memory);
    free_.erase(free_.begin());
  }
  free_.insert(std::lower_bound(free_.begin(), free_.end(), scratch.bytes, smaller), scratch);
}

}  // namespace tutti::runtime
