#include "runtime/transport/processes/process_world.hpp"

#include <sys/prctl.h>

#include <optional>
#include <thread>

#include "base/check.hpp"
#include "base/waiting_time.hpp"
#include "runtime/transport/processes/process_memory.hpp"
#include "runtime/transport/shared/shared_world.hpp"

namespace tutti::runtime {
namespace {

// What passes through a ring is gone when it is put in, as short messages are.
static_assert(processes_costs.short_bytes == static_cast<std::int64_t>(Block::ring_bytes));

/// A world with the segment that it rests on.
struct ProcessWorld {
  explicit ProcessWorld(Segment&& joined) : segment(std::move(joined)) {}

  Segment segment;
  std::optional<SharedWorld> world;
};

/// The first rank that has not joined; nothing once all have. Throws where one has ended, joined or not.
std::optional<int> missing_rank(const Segment& segment) {
  std::optional<int> missing;
  for (int rank = segment.ranks() - 1; rank >= 0; --rank) {
    const RankRecord& record = segment.record(rank);
    const bool has_joined = record.process() != 0;
    if (!has_joined) missing = rank;
    if (!record.has_ended()) continue;
    if (!has_joined) {
      fail(ErrorCode::peer_failed, "rank {} ended before it called tutti::world(): {}", rank,
           record.has_failed() ? record.failure() : "it returned");
    }
    if (record.has_failed()) fail(ErrorCode::peer_failed, "rank {} failed: {}", rank, record.failure());
  }
  return missing;
}

void wait_for_all(const Segment& segment, std::chrono::duration<double> timeout) {
  WaitingTime waiting;
  while (const auto missing = missing_rank(segment)) {
    if (waiting.look() > timeout)
      fail(ErrorCode::timeout, "rank {} has not called tutti::world() for {:g} s ({})", *missing, timeout.count(),
           longer_wait);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

}  // namespace

Joined join_processes(std::chrono::duration<double> timeout) {
  // Where the system lets a process be read by its ancestors alone: by its siblings too. Refused elsewhere, and then
  // not needed.
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  // A segment can be joined once: who calls again after a failure gets the same answer.
  static std::optional<Error> refusal;
  if (refusal) throw Error(*refusal);
  std::optional<Segment> segment = Segment::inherited();
  if (!segment) return {};
  const int rank = segment->rank();
  try {
    wait_for_all(*segment, timeout);
  } catch (const Error& error) {
    refusal = error;
    throw;
  }
  auto owner = std::make_shared<ProcessWorld>(std::move(*segment));
  owner->world.emplace(owner->segment.records(), owner->segment.whole(),
                       std::make_unique<ProcessMemory>(owner->segment), processes_costs);
  World* const world = &*owner->world;
  return {{std::move(owner), world}, rank};
}

}  // namespace tutti::runtime
