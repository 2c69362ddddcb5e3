/// @file
/// Where in its node a process runs.
#pragma once

#include <filesystem>

#include "schedule/layout.hpp"
#include "transport/usable_cores.hpp"

namespace tutti::runtime {

/// The core of a process that may run on these cores, where it is one core, and its NUMA domain, where all are of one.
/// The node is 0. `root` is where the system's files lie; without them no domain is known.
Location location_of(const UsableCores& cores, const std::filesystem::path& root = "/");

}  // namespace tutti::runtime
