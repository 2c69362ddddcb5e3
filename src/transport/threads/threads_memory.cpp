#include "transport/threads/threads_memory.hpp"

#include <sys/mman.h>

#include <cstring>

#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti::runtime {

ThreadsMemory::~ThreadsMemory() {
  for (const auto& [memory, bytes] : sizes_) munmap(memory, bytes);
}

bool ThreadsMemory::read(int, std::uint64_t from, void* to, std::size_t bytes) const noexcept {
  std::memcpy(to, pointer_to(from, bytes), bytes);
  return true;
}

std::size_t ThreadsMemory::write(int, std::uint64_t to, const void* from, std::size_t bytes,
                                 std::uint64_t) const noexcept {
  std::memcpy(pointer_to(to, bytes), from, bytes);
  return bytes;
}

// Mapped, not from the heap: zero without a pass over it, and pages that nobody touches do not exist.
std::byte* ThreadsMemory::allocate(std::size_t bytes) {
  origin_.require_this_process("allocate()");
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) tutti::fail(ErrorCode::unsupported, "the machine has no room for {} bytes", bytes);
  const std::lock_guard lock(mutex_);
  sizes_.emplace(static_cast<std::byte*>(memory), size);
  return static_cast<std::byte*>(memory);
}

// In a child another thread of the parent's may seem to hold the lock, for ever.
void ThreadsMemory::free(std::byte* memory) noexcept {
  if (!origin_.is_this_process()) return;
  const std::lock_guard lock(mutex_);
  const auto found = sizes_.find(memory);
  if (found == sizes_.end()) return;
  munmap(memory, found->second);
  sizes_.erase(found);
}

bool ThreadsMemory::ended(int rank) const noexcept { return records_[static_cast<std::size_t>(rank)].has_ended(); }

bool ThreadsMemory::lost(int rank) const noexcept {
  const RankRecord& record = records_[static_cast<std::size_t>(rank)];
  return record.has_ended() && record.has_failed();
}

}  // namespace tutti::runtime
