#include "bindings/torch/extension/block_pool.hpp"

#include <algorithm>
#include <bit>

namespace tutti::torch_backend {

std::size_t BlockPool::size_class(std::size_t bytes) {
  constexpr std::size_t least_step = std::size_t{4} << 10;
  const std::size_t step = std::max(std::bit_floor(bytes) / 8, least_step);
  return (bytes + step - 1) / step * step;
}

void* BlockPool::take(std::size_t bytes) {
  const std::size_t size = size_class(bytes);
  const std::lock_guard lock(mutex_);
  ++counts_.allocations;
  void* block = take_idle(size);
  if (block == nullptr) {
    if (is_scarce()) release_down_to(0);
    block = source_.allocate(size);
    if (block == nullptr && !idle_.empty()) {
      release_down_to(0);
      block = source_.allocate(size);
    }
  }
  if (block == nullptr) {
    ++counts_.refusals;
    return nullptr;
  }
  used_.emplace(block, size);
  counts_.used_bytes += size;
  counts_.peak_bytes = std::max(counts_.peak_bytes, counts_.used_bytes);
  return block;
}

/// Returns the block of that size that was in use last: its bytes may still be in a cache.
void* BlockPool::take_idle(std::size_t bytes) {
  const auto found = by_size_.find(bytes);
  if (found == by_size_.end()) return nullptr;
  const IdleList::iterator latest = found->second.back();
  found->second.pop_back();
  if (found->second.empty()) by_size_.erase(found);
  void* const block = latest->block;
  idle_.erase(latest);
  counts_.idle_bytes -= bytes;
  ++counts_.reuses;
  return block;
}

bool BlockPool::give_back(void* block) {
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(block);
  if (found == used_.end()) return false;
  const std::size_t bytes = found->second;
  used_.erase(found);
  counts_.used_bytes -= bytes;
  counts_.idle_bytes += bytes;
  by_size_[bytes].push_back(idle_.insert(idle_.end(), Idle{block, bytes}));
  release_down_to(is_scarce() ? 0 : std::max(most_idle, counts_.used_bytes));
  return true;
}

void BlockPool::release_oldest() {
  const Idle oldest = idle_.front();
  const auto found = by_size_.find(oldest.bytes);
  found->second.pop_front();
  if (found->second.empty()) by_size_.erase(found);
  idle_.pop_front();
  counts_.idle_bytes -= oldest.bytes;
  counts_.returned_bytes += oldest.bytes;
  source_.free(oldest.block);
}

void BlockPool::release_down_to(std::size_t bytes) {
  while (counts_.idle_bytes > bytes) release_oldest();
}

bool BlockPool::is_scarce() {
  const Clock::time_point now = Clock::now();
  if (now < next_look_) return false;
  next_look_ = now + look_interval;
  return source_.is_scarce();
}

void BlockPool::release_idle() {
  const std::lock_guard lock(mutex_);
  release_down_to(0);
}

PoolStatistics BlockPool::statistics() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void BlockPool::prepare_fork() {
  mutex_.lock();
  release_down_to(0);
}

}  // namespace tutti::torch_backend
