/// @file
/// Calls of MPI's own functions, as the checker passes them on.
#pragma once

#include <mpi.h>

#include <functional>

namespace tutti::interpose {

/// MPI's own function, with the program's arguments; returns its code.
using OfMpi = std::function<int()>;
/// One that makes a request of them.
using BeginOfMpi = std::function<int(MPI_Request*)>;

}  // namespace tutti::interpose
