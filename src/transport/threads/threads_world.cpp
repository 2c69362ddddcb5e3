#include "transport/threads/threads_world.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "transport/location.hpp"
#include "transport/shared/shared_world.hpp"
#include "transport/threads/threads_memory.hpp"

namespace tutti::runtime {
namespace {

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
  std::optional<SharedWorld> world;
};

}  // namespace

std::shared_ptr<World> threads_world(int ranks) {
  auto owner = std::make_shared<ThreadsWorld>(ranks);
  World* const world = &*owner->world;
  return {std::move(owner), world};
}

}  // namespace tutti::runtime
