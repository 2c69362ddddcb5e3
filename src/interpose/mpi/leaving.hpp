/// @file
/// What this job leaves to MPI.
#pragma once

#include "interpose/table.hpp"

namespace tutti::interpose {

/// What was measured here, or else where the library was developed; TUTTI_ALGORITHM_<COLLECTIVE>=mpi leaves all calls
/// of that one to MPI, and is taken away, because tutti itself knows no such algorithm. A program that is checked
/// leaves nothing.
Table table_of_this_machine();

/// Measures what MPI is faster at, for as many ranks as there are, and writes it down for later jobs; what was measured
/// for others stays. Once all that MPI_COMM_WORLD needs to be served is there; all ranks call it. Where the file is no
/// table, nothing is measured, and rank 0 says so.
void measure_this_machine();

/// What another library wants to see goes there, and so to MPI.
void leave_to_tools(Table& table);

}  // namespace tutti::interpose
