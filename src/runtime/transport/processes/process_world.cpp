#include "runtime/transport/processes/process_world.hpp"

#include <sys/prctl.h>

#include <optional>
#include <thread>

#include "base/check.hpp"
#include "runtime/transport/processes/process_memory.hpp"
#include "runtime/transport/shared/shared_world.hpp"

namespace tutti::runtime {
namespace {

/// A world with the segment that it rests on.
struct ProcessWorld {
  explicit ProcessWorld(Segment&& joined) : segment(std::move(joined)) {}

  Segment segment;
  std::optional<SharedWorld> world;
};

void wait_for_all(const Segment& segment, std::chrono::duration<double> timeout) {
  const auto began = std::chrono::steady_clock::now();
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    const RankRecord& record = segment.record(rank);
    while (record.process() == 0) {
      if (record.has_ended()) {
        fail(ErrorCode::peer_failed, "rank {} ended before it called tutti::world(): {}", rank,
             record.has_failed() ? record.failure() : "it returned");
      }
      if (std::chrono::steady_clock::now() - began > timeout) {
        fail(ErrorCode::timeout, "rank {} has not called tutti::world() for {:g} s", rank, timeout.count());
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
}

}  // namespace

Joined join_processes(std::chrono::duration<double> timeout) {
  // Where the system lets a process be read by its ancestors alone: by its siblings too. Refused elsewhere, and then
  // not needed.
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  std::optional<Segment> segment = Segment::inherited();
  if (!segment) return {};
  const int rank = segment->rank();
  wait_for_all(*segment, timeout);
  auto owner = std::make_shared<ProcessWorld>(std::move(*segment));
  owner->world.emplace(owner->segment.records(), owner->segment.whole(),
                       std::make_unique<ProcessMemory>(owner->segment), processes_costs);
  World* const world = &*owner->world;
  return {{std::move(owner), world}, rank};
}

}  // namespace tutti::runtime
