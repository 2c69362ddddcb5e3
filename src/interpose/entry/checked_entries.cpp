// Entries of the functions that all ranks of a communicator, window or file call, and that MPI alone does.

#include <mpi.h>

#include <type_traits>

#include "mpi_check/collectives/checked_collectives.hpp"
#include "mpi_check/collectives/neighbour_signatures.hpp"
#include "mpi_check/collectives/nonblocking_signatures.hpp"
#include "mpi_check/communicators/argument_comparison.hpp"
#include "mpi_check/communicators/intercomm_leaders.hpp"
#include "mpi_job/arguments/entry_arguments.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

/// Reads the handle at that address. MPI refuses a null address, and here it stands for a handle that nothing has.
template <typename Handle>
auto handle_at(Word address) {
  return [address] { return address == 0 ? Handle{} : *reinterpret_cast<const Handle*>(address); };
}
template <typename Handle>
auto handle_at(void* address) {
  return [address] { return fortran_argument<Handle>(address); };
}

/// Returns the code. Where it is an error's, a program that does not look at it finds no handle.
template <typename Handle>
int null_unless_made(int code, Word address, Handle null) {
  if (code != MPI_SUCCESS && address != 0) *reinterpret_cast<Handle*>(address) = null;
  return code;
}
template <typename Handle>
int null_unless_made(int code, void* address, Handle null) {
  if (code != MPI_SUCCESS) *static_cast<MPI_Fint*>(address) = fortran_handle(null);
  return code;
}

}  // namespace

#include "interpose/generated/checked_c.inc"
#include "interpose/generated/checked_fortran.inc"

}  // namespace tutti::interpose
