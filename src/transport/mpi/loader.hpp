/// @file
/// Ranks that an mpirun has started.
#pragma once

#include "transport/mpi/plugin.hpp"
#include "transport/processes/process_world.hpp"
#include "transport/proposal.hpp"

namespace tutti::runtime {

/// Joins the world of the MPI whose mpirun started this process; null where none did.
///
/// Loads the plugin of an MPI: the one that the program has, and else the one that the environment tells. Its plugin is
/// looked for where TUTTI_MPI_LIBRARY says; or else in the folder of the file that holds this code (the program, or a
/// shared library), where an installed program has it (`../lib/tutti` as seen from that folder) or an installed library
/// (`tutti/` there), and then along the file's run path, which the targets of CMake set. A program that has more rights
/// than who starts it heeds no variable, and so is alone. Throws `Error(unsupported)` where there is no plugin, or none
/// of this tutti. All agree on what rank 0 proposes. `end` is called where the program itself calls MPI_Finalize(),
/// before MPI is gone.
Joined join_mpi(ThreadSupport threads, void (*end)() noexcept, Propose propose);

/// Returns, on every rank, the proposal that `propose` makes on rank 0; all ranks call it. If that throws, its
/// exception on rank 0, and `Error(peer_failed)` with its reason on all others, which would wait for rank 0 otherwise.
Proposal broadcast_proposal(const Plugin& plugin, int rank, Propose propose);

}  // namespace tutti::runtime
