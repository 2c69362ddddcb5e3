/// @file
/// Measurement of the collectives that MPI is faster at on this machine.
#pragma once

#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/process/fallback_table.hpp"

namespace tutti::interpose {

/// Each collective with blocks of each measured size, served and left to MPI in turn; those that MPI is faster at are
/// left to it by `table`, for about as many ranks as there are. All ranks of the communicator, which leaves nothing to
/// MPI yet, call it, and get the same. Takes some seconds.
void measure(ServedCommunicator& on, FallbackTable& table);

}  // namespace tutti::interpose
