/// @file
/// Ranks that are processes of one machine.
#pragma once

#include <memory>
#include <string>

#include "transport/processes/segment.hpp"
#include "transport/shared/shared_world.hpp"

namespace tutti::runtime {

/// A segment, which outlives the world that rests on it.
struct SegmentHolder {
  std::shared_ptr<const Segment> held;
};

/// The world of a segment that all ranks have joined, this process as one of them.
class ProcessWorld : private SegmentHolder, public SharedWorld {
 public:
  explicit ProcessWorld(std::shared_ptr<const Segment> joined);
  explicit ProcessWorld(Segment&& joined) : ProcessWorld(std::make_shared<const Segment>(std::move(joined))) {}

  std::int64_t process_of(int rank) const override { return held->is_held(rank) ? held->process_of(rank) : 0; }
  std::string activity_of(int rank) const override;

 protected:
  const Segment& segment() const { return *held; }
};

/// The world that this process was started into, with its rank; `world` is null where it was started without one.
struct Joined {
  std::shared_ptr<World> world;
  int rank = 0;
};

/// Lets ranks read this process's memory where the system allows that to a process's ancestors alone.
void allow_ranks_to_read();

/// Joins the segment that a launcher made, and waits until all ranks have, as long as their processes live; a line on
/// standard error says so after late_after(), and at growing distances. All agree on what rank 0 proposes.
/// Throws `Error(invalid_argument)` where it cannot be attached, `Error(peer_failed)` where a rank ends before it has
/// joined, and `Error(unsupported)` where memory is wanting. Once this process has joined, the others learn why it has
/// no world.
Joined join_processes(Propose propose);

/// Leaves the error of join_processes() with this text to the launcher, which tells the user once for all ranks that
/// have it. False if this process has to tell it.
bool leave_refusal(const std::string& text);

}  // namespace tutti::runtime
