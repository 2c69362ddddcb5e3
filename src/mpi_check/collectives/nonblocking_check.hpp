/// @file
/// Check of nonblocking and persistent collectives: ranks compare what they begin, and each rank's buffers are checked.
#pragma once

#include <mpi.h>

#include "mpi_check/collectives/needed_ranks.hpp"
#include "mpi_check/collectives/nonblocking_signatures.hpp"
#include "mpi_check/point_to_point/mpi_call.hpp"

namespace tutti::interpose {

/// MPI_Ibarrier, MPI_Comm_idup and their like. Begins nothing, and leaves no request, where an error came before.
int begin_collective(const char* function, MPI_Comm comm, const NeededRanks& needed, const Amount& amount,
                     MPI_Request* request, const OfMpi& call);
/// MPI_Allreduce_init and its like.
int begin_persistent(const char* function, MPI_Comm comm, const NeededRanks& needed, const Amount& amount,
                     const OfMpi& call);

}  // namespace tutti::interpose
