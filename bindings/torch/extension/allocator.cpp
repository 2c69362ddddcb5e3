#include "bindings/torch/extension/allocator.hpp"

#include <c10/core/CPUAllocator.h>
#include <pthread.h>
#include <torch/csrc/api/include/torch/version.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "base/system/control_groups.hpp"
#include "tutti/memory.hpp"

namespace tutti::torch_backend {
namespace {

/// Bytes from which on messages gain by memory that peers reach in place.
constexpr std::size_t least_shared = std::size_t{16} << 10;
/// Memory is scarce where less than this part of it is left.
constexpr std::int64_t scarce_part = 16;

/// Returns one number of /proc/meminfo, in bytes; nothing where it is not told.
std::optional<std::int64_t> memory_number(const std::string& name) {
  std::ifstream lines("/proc/meminfo");
  std::string word;
  std::int64_t kibibytes = 0;
  while (lines >> word >> kibibytes) {
    if (word == name) return kibibytes * 1024;
    lines.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

bool memory_is_scarce() {
  const auto total = memory_number("MemTotal:");
  const auto left = memory_number("MemAvailable:");
  if (total && left && *left < *total / scarce_part) return true;
  static const auto limit = memory_limit();
  if (!limit || (total && *limit >= *total)) return false;
  const auto left_in_group = memory_left();
  return left_in_group && *left_in_group < *limit / scarce_part;
}

/// Never destroyed, because tensors are freed to the program's last moment.
BlockPool& pool() {
  static BlockPool& all = *new BlockPool({allocate_shared, free_shared, memory_is_scarce});
  return all;
}

std::atomic<bool> is_sharing = false;

/// Frees memory of the allocator below: a block of the pool, or what torch itself has allocated.
void release(void* memory) {
  if (memory == nullptr) return;
  if (is_shared(memory)) {
    c10::profiledCPUMemoryReporter().Delete(memory);
    if (pool().give_back(memory)) return;
  }
  c10::GetDefaultCPUAllocator()->raw_deleter()(memory);
}

/// Allocator of torch: long tensors from the pool, all others by torch's own. torch's profiler hears of both.
class SharedAllocator final : public c10::Allocator {
 public:
#if TORCH_VERSION_MAJOR >= 2  // not tested: Debian has torch 1.13
  c10::DataPtr allocate(std::size_t bytes) override { return allocated(bytes); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
#else
  c10::DataPtr allocate(std::size_t bytes) const override { return allocated(bytes); }
#endif
  c10::DeleterFnPtr raw_deleter() const override { return &release; }

 private:
  static c10::DataPtr allocated(std::size_t bytes) {
    // Relaxed: which tensors made meanwhile are shared does not matter.
    if (bytes >= least_shared && is_sharing.load(std::memory_order_relaxed)) {
      if (void* const block = pool().take(bytes)) {
        c10::profiledCPUMemoryReporter().New(block, bytes);
        return {block, block, &release, c10::Device(c10::DeviceType::CPU)};
      }
    }
    void* const memory = c10::GetDefaultCPUAllocator()->raw_allocate(bytes);
    return {memory, memory, &release, c10::Device(c10::DeviceType::CPU)};
  }
};

/// Makes the arena, whose handlers of fork() have to come first, and then the pool's own; false where there is none.
bool prepare() {
  void* const first = allocate_shared(least_shared);
  if (first == nullptr) return false;
  free_shared(first);
  pool();
  pthread_atfork([] { pool().prepare_fork(); }, [] { pool().finish_fork(); }, [] { pool().finish_fork(); });
  c10::SetCPUAllocator(new SharedAllocator, 1);  // never destroyed: storages keep its address
  return true;
}

}  // namespace

bool share_memory() {
  static const bool is_prepared = prepare();
  is_sharing.store(is_prepared, std::memory_order_relaxed);
  return is_prepared;
}

void keep_memory_private() { is_sharing.store(false, std::memory_order_relaxed); }

bool shares_memory() { return is_sharing.load(std::memory_order_relaxed); }

void release_idle_memory() { pool().release_idle(); }

PoolStatistics memory_statistics() { return pool().statistics(); }

void add_memory(pybind11::module_& module) {
  module.def("share_memory", &share_memory);
  module.def("keep_memory_private", &keep_memory_private);
  module.def("shares_memory", &shares_memory);
  module.def("release_idle_memory", &release_idle_memory);
  module.def("is_shared", [](std::uintptr_t address) {
    return is_shared(reinterpret_cast<const void*>(address));  // NOLINT: an address is what it is
  });
  module.def("memory_statistics", [] {
    const PoolStatistics counts = memory_statistics();
    pybind11::dict named;
    named["used_bytes"] = counts.used_bytes;
    named["peak_bytes"] = counts.peak_bytes;
    named["idle_bytes"] = counts.idle_bytes;
    named["allocations"] = counts.allocations;
    named["reuses"] = counts.reuses;
    named["refusals"] = counts.refusals;
    named["returned_bytes"] = counts.returned_bytes;
    return named;
  });
}

}  // namespace tutti::torch_backend
