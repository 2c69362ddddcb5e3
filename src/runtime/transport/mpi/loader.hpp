/// @file
/// Ranks that an mpirun has started.
#pragma once

#include "runtime/transport/mpi/plugin.hpp"
#include "runtime/transport/processes/process_world.hpp"

namespace tutti::runtime {

/// Joins the world of the MPI whose mpirun started this process; null where none did.
///
/// The environment tells which MPI it is. Its plugin is looked for where TUTTI_MPI_LIBRARY says, or else beside the
/// program and its installation, in the folder where tutti was built, and where it is installed.
/// Throws `Error(unsupported)` where there is no plugin, or none of this tutti.
Joined join_mpi(Threads threads);

}  // namespace tutti::runtime
