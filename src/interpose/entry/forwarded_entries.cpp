// Entries of the functions that are MPI's after something has been noted or told, and of those that get an operator that
// is right and are taken over for nothing else.

#include <mpi.h>

#include <optional>
#include <type_traits>

#include "interpose/entry/correct_operators.hpp"
#include "interpose/entry/job_lifecycle.hpp"
#include "interpose/entry/mpich_alltoallw_workaround.hpp"
#include "mpi_check/point_to_point/checked_polling.hpp"
#include "mpi_job/arguments/entry_arguments.hpp"
#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"
#include "mpi_job/process/job_ranks.hpp"

namespace tutti::interpose {
namespace {

/// One-sided communication may wait for another rank's MPI.
void need_mpi() noexcept {
  if (is_job_ready()) job().ranks->need_mpi();
}

/// MPI takes its own operators alone there.
template <typename A>
void tell_operator(const char* function, A op, A type) {
  tell_wrong_operator_in(function, argument_of<MPI_Op, int>(op), argument_of<MPI_Datatype, int>(type));
}

/// Packs what persistent requests send that are about to be started. MPICH's handles of Fortran are those of C.
void pack_all_started(int count, const MPI_Request* requests) {
  for (int k = 0; is_mpich && requests != nullptr && k < count; ++k) pack_started(requests[k]);
}
void pack_all_started(int count, Word requests) {
  pack_all_started(count, reinterpret_cast<const MPI_Request*>(requests));
}
void pack_all_started(int count, void* requests) { pack_all_started(count, static_cast<const MPI_Request*>(requests)); }

}  // namespace

#include "interpose/generated/corrected_c.inc"
#include "interpose/generated/corrected_fortran.inc"
#include "interpose/generated/forwarded_c.inc"
#include "interpose/generated/forwarded_fortran.inc"

}  // namespace tutti::interpose
