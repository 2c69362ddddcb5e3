/// @file
/// Ranks that are threads of one process.
#pragma once

#include <memory>

#include "transport/world.hpp"

namespace tutti::runtime {

/// A world whose records and communicators lie in memory of the process's own.
std::shared_ptr<World> threads_world(int ranks);

}  // namespace tutti::runtime
