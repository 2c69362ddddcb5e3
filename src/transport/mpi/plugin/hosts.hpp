/// @file
/// Hosts of the ranks: who shares one, how many cores they have there, and where in it they are.
#pragma once

#include <mpi.h>

#include "transport/interfaces/world.hpp"

namespace tutti::runtime {

/// The host of this rank, with those of the communicator's ranks that share memory with it. All ranks call it.
HostShare host_of(MPI_Comm communicator);
/// The most crowded of all ranks' hosts, of equally crowded ones that of the first rank; the same on every rank. All
/// ranks call it.
HostShare most_crowded(const HostShare& own, MPI_Comm communicator);
/// Returns the places of all ranks of the communicator; equal on every rank. All ranks call it.
Layout layout_of(MPI_Comm communicator);
/// The slowest of the links between the nodes of that layout, which pairs of their first ranks measure at once; the
/// same on every rank. Takes some milliseconds, on links of 1 Gbit/s a tenth of a second. All ranks call it.
LinkTimes measured_link(const Layout& layout, MPI_Comm communicator);

}  // namespace tutti::runtime
