/// @file
/// Ranks that are processes of one machine.
#pragma once

#include <chrono>
#include <memory>

#include "transport/world.hpp"

namespace tutti::runtime {

/// The world that this process was started into, with its rank; `world` is null where it was started without one.
struct Joined {
  std::shared_ptr<World> world;
  int rank = 0;
};

/// Joins the segment that a launcher made, and waits until all ranks have.
/// Throws `Error(invalid_argument)` where it cannot be attached, `Error(peer_failed)` where a rank ends before it has
/// joined, and `Error(timeout)` where one does not come.
Joined join_processes(std::chrono::duration<double> timeout);

}  // namespace tutti::runtime
