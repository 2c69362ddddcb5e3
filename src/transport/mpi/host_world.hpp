/// @file
/// Ranks that an mpirun has started on one machine.
#pragma once

#include <memory>

#include "transport/mpi/plugin.hpp"

namespace tutti::runtime {

/// Whether this rank may share memory with ranks that an mpirun has started beside it: unless TUTTI_SHARED_MEMORY=0.
/// Throws `Error(invalid_argument)` where that is neither 0 nor 1.
bool may_share_memory();

/// The world of ranks that have joined MPI and share memory; null unless all of them do. All ranks call it, and get the
/// same answer.
///
/// They do where all may, where they run on one node (see node_of_this_process()), as one user and with the same tutti,
/// and where each could open the segment that the first one has made: what else keeps them apart shows there.
///
/// MPI then begins and ends the job, and tells mpirun of failures; nothing else goes through it.
std::shared_ptr<World> world_of_host(const Plugin& plugin, const MpiRank& joined, bool may_share);

}  // namespace tutti::runtime
