#include "transport/threads/threads_world.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "transport/location.hpp"
#include "transport/shared/shared_world.hpp"
#include "transport/threads/threads_memory.hpp"

namespace tutti::runtime {
namespace {

/// A program may have several worlds of threads, at a time or one after the other, and so may another process that
/// writes the same trace.
class NumberedWorld final : public SharedWorld {
 public:
  using SharedWorld::SharedWorld;

  std::uint64_t name() const override { return name_; }

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
    world.emplace(records, whole, std::move(memory), Engine::threads, cores.count(), std::move(layout),
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

}  // namespace tutti::runtime
