/// @file
/// Ranks that an mpirun has started and that share memory.
#pragma once

#include <memory>

#include "transport/mpi/plugin.hpp"

namespace tutti::runtime {

/// Whether this rank may share memory with ranks that an mpirun has started beside it: unless TUTTI_SHARED_MEMORY=0.
/// Throws `Error(invalid_argument)` where that is neither 0 nor 1.
bool may_share_memory();

/// The world of ranks that have joined MPI, and of which those of each node (see node_of_this_process()) share memory;
/// null unless all of them do, and where each rank has a node of its own. All ranks call it, and get the same answer.
///
/// Ranks share memory if all may, and if each could open the segment that the first of its node has made: other things
/// that keep them apart, such as another user or another tutti, show there.
///
/// MPI begins and ends the job, and tells mpirun of failures. Where all ranks are on one node nothing else goes through
/// it; on several nodes it carries what passes between them, and all agreement: see world_of_hosts().
std::shared_ptr<World> world_of_host(const Plugin& plugin, const MpiRank& joined, bool may_share);

}  // namespace tutti::runtime
