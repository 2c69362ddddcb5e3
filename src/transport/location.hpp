/// @file
/// On which node a process runs, and where in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "schedule/layout.hpp"
#include "transport/usable_cores.hpp"

namespace tutti::runtime {

/// The core of a process that may run on these cores, where it is one core, and its NUMA domain, where all are of one.
/// The node is 0. `root` is where the system's files lie; without them no domain is known.
Location location_of(const UsableCores& cores, const std::filesystem::path& root = "/");

/// A number that is the same for all processes of one machine and differs between machines, but by a chance of 2^-64:
/// of the kernel's boot id, or of the host's name where that cannot be read. The environment's TUTTI_NODE names another
/// one, so that one machine can stand for several nodes.
std::uint64_t node_of_this_process();

/// Where a process has found itself: on which node, and where in it. Plain bytes, which processes may share and send.
struct Place {
  std::uint64_t node = 0;  ///< see node_of_this_process()
  Location location = {};  ///< its node is not set
};

/// Of this process, which may use those cores.
Place place_of_this_process(const UsableCores& cores);

/// The layout of ranks with these places.
Layout layout_of(std::span<const Place> places);

}  // namespace tutti::runtime
