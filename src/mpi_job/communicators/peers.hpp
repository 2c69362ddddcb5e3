/// @file
/// Peers: the ranks to which messages on a communicator go, and from which they come.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace tutti::interpose {

/// Peers on a communicator: of an intercommunicator, the ranks of the other group; else all of its ranks.
struct Peers {
  std::vector<int> in_job;   ///< their numbers in MPI_COMM_WORLD, by rank; negative where they have none
  std::vector<int> on_host;  ///< and among the ranks of this host: see HostRanks::place_of()
  /// Digest by which all ranks know the communicator in what they tell of messages. If its ranks have made it of
  /// another one, ServedCommunicator adds which that was: elsewhere one of the same ranks has the same.
  std::uint32_t digest = 0;
};

/// The numbers in MPI_COMM_WORLD of a group's ranks.
std::vector<int> ranks_in_job(MPI_Group group);

/// Returns the peers on a communicator that is valid, while JobRanks::host() is there.
Peers peers_of(MPI_Comm handle);

}  // namespace tutti::interpose
