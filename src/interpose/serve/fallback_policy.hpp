/// @file
/// Fallback policy: chooses the collectives that this job leaves to MPI.
#pragma once

#include "mpi_job/process/fallback_table.hpp"

namespace tutti::interpose {

/// Returns the table that was measured here, or else on the library's own machine; TUTTI_ALGORITHM_<COLLECTIVE>=mpi
/// leaves all calls of that one to MPI, and is taken away, because tutti itself knows no such algorithm. A program that
/// is checked leaves nothing.
FallbackTable table_of_this_machine();

/// Measures what MPI is faster at, for as many ranks as there are, and writes it down for later jobs; what was measured
/// for others stays. Once all that MPI_COMM_WORLD needs to be served is there; all ranks call it. Where the file is no
/// table, nothing is measured, and rank 0 says so.
void measure_this_machine();

/// Leaves to MPI every collective that a PMPI tool intercepts.
void leave_to_tools(FallbackTable& table);

}  // namespace tutti::interpose
