// Entries of the functions that begin and end a job, and of those that end a communicator.

#include <mpi.h>

#include <type_traits>

#include "interpose/entry/job_lifecycle.hpp"
#include "mpi_check/collectives/checked_collectives.hpp"
#include "mpi_check/collectives/comparison_end.hpp"
#include "mpi_check/communicators/communicator_release.hpp"
#include "mpi_job/arguments/entry_arguments.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"

namespace tutti::interpose {
namespace {

/// The handle that a program wants to end; MPI refuses a null address.
MPI_Comm handle_in_place(Word comm) { return comm == 0 ? MPI_COMM_NULL : *reinterpret_cast<const MPI_Comm*>(comm); }
MPI_Comm handle_in_place(void* comm) { return comm_in(comm); }

}  // namespace

#include "interpose/generated/disconnected_c.inc"
#include "interpose/generated/disconnected_fortran.inc"
#include "interpose/generated/finalize_c.inc"
#include "interpose/generated/finalize_fortran.inc"
#include "interpose/generated/freed_c.inc"
#include "interpose/generated/freed_fortran.inc"
#include "interpose/generated/init_c.inc"
#include "interpose/generated/init_fortran.inc"

}  // namespace tutti::interpose
