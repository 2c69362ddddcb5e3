// Entries of C of the collectives that are MPI's and end later: nonblocking and persistent ones.

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include <type_traits>

#include "interpose/entry/correct_operators.hpp"
#include "interpose/entry/mpich_alltoallw_workaround.hpp"
#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/collectives/neighbour_signatures.hpp"
#include "mpi_check/collectives/nonblocking_check.hpp"
#include "mpi_check/collectives/nonblocking_signatures.hpp"
#include "mpi_job/arguments/entry_arguments.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"

namespace tutti::interpose {

#include "interpose/generated/nonblocking_c.inc"
#include "interpose/generated/persistent_c.inc"

}  // namespace tutti::interpose
