/// @file
/// Ranks of several hosts that an mpirun has started: those of one host share memory.
#pragma once

#include <memory>

#include "transport/interfaces/world.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::runtime {

/// The world of all ranks that `mpi` connects, of which those of this rank's node have joined `segment`, numbered in
/// the order of their ranks. `mpi` outlives it.
std::shared_ptr<World> world_of_hosts(Segment&& segment, World& mpi, int rank);
/// In such a world, that of the ranks of this node alone, which share memory; it lives as long as that one.
World& world_of_this_host(World& hosts);

}  // namespace tutti::runtime
