#include "mpi_check/communicators/shadow_communicators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include "mpi_check/communicators/call_owner.hpp"
#include "mpi_check/communicators/communicator_release.hpp"

namespace tutti::interpose {
namespace {

/// MPI has some 2,000 communicators for all that a program makes.
constexpr int most = 256;
std::atomic<int> held = 0;

bool is_so_on_all(const ServedCommunicator& of, bool is_so_here) {
  int is_so = is_so_here ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &is_so, 1, MPI_INT, MPI_MIN, of.handle());
  return is_so != 0;
}

}  // namespace

MPI_Comm shadow_communicator(ServedCommunicator& of, const char* function, const char* what) {
  const ReentrancyGuard guard;
  if (!is_so_on_all(of, held.load() < most)) return MPI_COMM_NULL;
  // A duplicate would call the program's own functions, which copy its attributes.
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm own = MPI_COMM_NULL;
  PMPI_Comm_group(of.handle(), &group);
  PMPI_Comm_create(of.handle(), group, &own);
  PMPI_Group_free(&group);
  if (!is_so_on_all(of, own != MPI_COMM_NULL)) {
    if (own != MPI_COMM_NULL) PMPI_Comm_free(&own);
    return MPI_COMM_NULL;
  }
  held.fetch_add(1);
  std::string name = fmt::format("of {} on {}", what, of.title());
  name.resize(std::min<std::size_t>(name.size(), MPI_MAX_OBJECT_NAME - 1));
  PMPI_Comm_set_name(own, name.c_str());
  if (ServedCommunicator* const fresh = state_known_of(own)) decide(*fresh, function);
  return own;
}

void free_shadow_communicator(MPI_Comm own) {
  held.fetch_sub(1);
  const CommunicatorRelease freeing(own);
  PMPI_Comm_free(&own);
}

}  // namespace tutti::interpose
