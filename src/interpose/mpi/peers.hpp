/// @file
/// The ranks that a message on a communicator goes to or comes from.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace tutti::interpose {

/// Of an intercommunicator, those of the other group; else all of its ranks.
struct Peers {
  std::vector<int> in_job;   ///< their numbers in MPI_COMM_WORLD, by rank; negative where they have none
  std::vector<int> on_host;  ///< and among the ranks of this host: see HostRanks::place_of()
  /// What all ranks of the communicator know it by in what they tell of messages. Of one that its ranks have made of
  /// another one, Taken adds which that was: elsewhere one of the same ranks has the same.
  std::uint32_t digest = 0;
};

/// The numbers in MPI_COMM_WORLD of a group's ranks.
std::vector<int> ranks_in_job(MPI_Group group);

/// Of a communicator that is valid, where JobRanks::host() is there.
Peers peers_of(MPI_Comm handle);

}  // namespace tutti::interpose
