#include "interpose/mpi/own_communicators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>

namespace tutti::interpose {
namespace {

/// MPI has some 2,000 communicators for all that a program makes.
constexpr int most = 256;
std::atomic<int> held = 0;

}  // namespace

MPI_Comm own_communicator(Taken& of, const char* function, const char* what) {
  const Inside inside;
  int has_room = held.load() < most ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &has_room, 1, MPI_INT, MPI_MIN, of.handle());
  if (has_room == 0) return MPI_COMM_NULL;
  // A duplicate would call the program's own functions, which copy its attributes.
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm own = MPI_COMM_NULL;
  PMPI_Comm_group(of.handle(), &group);
  PMPI_Comm_create(of.handle(), group, &own);
  PMPI_Group_free(&group);
  if (own == MPI_COMM_NULL) return own;
  held.fetch_add(1);
  std::string name = fmt::format("of {} on {}", what, of.title());
  name.resize(std::min<std::size_t>(name.size(), MPI_MAX_OBJECT_NAME - 1));
  PMPI_Comm_set_name(own, name.c_str());
  if (Taken* const fresh = state_known_of(own)) fresh->serves(function);
  return own;
}

void free_own_communicator(MPI_Comm own) {
  held.fetch_sub(1);
  const Freeing freeing(own);
  PMPI_Comm_free(&own);
}

}  // namespace tutti::interpose
