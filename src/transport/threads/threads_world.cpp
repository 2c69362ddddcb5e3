#include "transport/threads/threads_world.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/units.hpp"
#include "transport/location.hpp"
#include "transport/processes/activity.hpp"
#include "transport/shared/shared_world.hpp"

namespace tutti::runtime {
namespace {

/// A program may have several worlds of threads, at a time or one after the other, and so may another process that
/// writes the same trace.
class NumberedWorld final : public SharedWorld {
 public:
  using SharedWorld::SharedWorld;

  std::uint64_t name() const override { return name_; }
  std::string activity_of(int rank) const override {
    return runtime::activity_of(getpid(), static_cast<pid_t>(World::record(rank).thread()));
  }

 private:
  static std::uint64_t next_name() {
    static std::atomic<std::uint64_t> last = 0;
    // Relaxed: only the numbers must differ.
    return static_cast<std::uint64_t>(getpid()) << 32 | (last.fetch_add(1, std::memory_order_relaxed) + 1);
  }

  std::uint64_t name_ = next_name();
};

/// A world with the records that it rests on.
struct ThreadsWorld {
  explicit ThreadsWorld(int ranks) : records(static_cast<std::size_t>(ranks)) {
    auto memory = std::make_unique<ThreadsMemory>(records);
    const ControlSegment whole(memory->allocate(ControlSegment::bytes(ranks)), ranks);
    const UsableCores cores = UsableCores::of_this_process();
    Layout layout(std::vector<Location>(records.size(), location_of(cores)));
    world.emplace(records, whole, std::move(memory), Transport::threads, cores.count(), std::move(layout),
                  register_for_barriers() ? SharedWorld::Waking::by_others : SharedWorld::Waking::by_clock);
  }

  std::vector<RankRecord> records;
  std::optional<NumberedWorld> world;
};

}  // namespace

std::shared_ptr<World> threads_world(int ranks) {
  auto owner = std::make_shared<ThreadsWorld>(ranks);
  World* const world = &*owner->world;
  return {std::move(owner), world};
}

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
