/// @file
/// tutti in programs that have MPI already. Not part of tutti.hpp, because it includes <mpi.h>.
///
///     MPI_Init(&argc, &argv);
///     tutti::Communicator comm = tutti::Communicator::from(MPI_COMM_WORLD);
///     comm.all_reduce(data, tutti::sum);      // beside calls of MPI's own
///     MPI_Finalize();                         // ends tutti's job as well
#pragma once

#include <mpi.h>

#include <numeric>
#include <string>
#include <vector>

#include "tutti/communicator.hpp"
#include "tutti/detail/joining.hpp"
#include "tutti/error.hpp"
#include "tutti/world.hpp"

namespace tutti {

/// The ranks of that communicator of MPI, in its order, as a communicator of tutti's: those of one host share memory,
/// and messages between hosts are MPI's. A collective call on it, between MPI_Init and MPI_Finalize, at any thread
/// level; later calls of either side have nothing to do with one another. Sentences call it what MPI_Comm_get_name says
/// now, if that is anything. The first call of a program joins the job, as
/// world() does: then all ranks of MPI_COMM_WORLD call it, on any communicators of theirs.
///
/// Throws `Error(invalid_argument)` for MPI_COMM_NULL and a communicator between two groups, `Error(unsupported)` for
/// ranks that are not of this program's MPI_COMM_WORLD, and what world() throws. Cost: an all-gather of MPI's, of 16
/// bytes a rank.
template <>
inline Communicator Communicator::from(MPI_Comm communicator) {
  int is_between = 0;
  if (communicator != MPI_COMM_NULL) MPI_Comm_test_inter(communicator, &is_between);
  if (communicator == MPI_COMM_NULL || is_between != 0)
    throw Error(ErrorCode::invalid_argument, "Communicator::from() takes a communicator of one group of ranks");
  int rank = 0;
  int size = 0;
  int all_size = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  MPI_Comm_size(MPI_COMM_WORLD, &all_size);
  if (const int joined = world().size(); joined != all_size) {
    throw Error(ErrorCode::unsupported, "Communicator::from(): MPI_COMM_WORLD has " + std::to_string(all_size) +
                                            " ranks, and tutti's world has " + std::to_string(joined) +
                                            ": start the program with mpirun alone");
  }
  std::vector<int> own(static_cast<std::size_t>(size));
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> members(own.size());
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(communicator, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_translate_ranks(group, size, own.data(), all, members.data());
  MPI_Group_free(&group);
  MPI_Group_free(&all);
  for (const int member : members) {
    if (member == MPI_UNDEFINED)
      throw Error(ErrorCode::unsupported, "Communicator::from() takes ranks of this program's MPI_COMM_WORLD alone");
  }
  const detail::CommunicatorWord mine = detail::found_communicator(members, rank);
  std::vector<detail::CommunicatorWord> told(members.size());
  MPI_Allgather(mine.data(), sizeof(mine), MPI_BYTE, told.data(), sizeof(mine), MPI_BYTE, communicator);
  char name[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  MPI_Comm_get_name(communicator, name, &length);
  return detail::join_communicator(told, members, rank, name);
}

}  // namespace tutti
