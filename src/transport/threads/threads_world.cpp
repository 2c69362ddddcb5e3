#include "transport/threads/threads_world.hpp"

#include <optional>
#include <vector>

#include "transport/shared/shared_world.hpp"
#include "transport/threads/threads_memory.hpp"

namespace tutti::runtime {
namespace {

/// A world with the records that it rests on.
struct ThreadsWorld {
  explicit ThreadsWorld(int ranks) : records(static_cast<std::size_t>(ranks)) {
    auto memory = std::make_unique<ThreadsMemory>(records);
    const ControlSegment whole(memory->allocate(ControlSegment::bytes(ranks)), ranks);
    world.emplace(records, whole, std::move(memory), Engine::threads, UsableCores::of_this_process().count());
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
