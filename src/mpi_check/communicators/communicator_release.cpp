#include "mpi_check/communicators/communicator_release.hpp"

#include "mpi_check/collectives/comparison_end.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"
#include "mpi_job/job/mpi_job.hpp"

namespace tutti::interpose {

// Communicators that MPI has made itself are refused.
CommunicatorRelease::CommunicatorRelease(MPI_Comm handle) {
  if (!is_job_ready() || handle == MPI_COMM_NULL || handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF) return;
  leaves_work_ = end_comparisons_on(handle) && is_mpich;
  leave_state(handle);
}

CommunicatorRelease::~CommunicatorRelease() { forget_known_states(); }

}  // namespace tutti::interpose
