/// @file
/// Leaders of two groups that come together to one intercommunicator, in a program that is checked.
///
/// In MPI_Intercomm_create the leaders of both groups exchange messages through a communicator of both, by a tag that
/// both give. Where the tags differ, or one leader takes another rank for that of the other group, MPI waits for ever.
/// So the leaders exchange a message of the library's before, by the same ranks and tag, and are watched as in
/// MPI_Sendrecv; and the other ranks of each group wait for what their leader says of that. MPI wants no message under
/// way there by which its own could be mistaken, and so there is none for this one.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

#include "mpi_check/collectives/nonblocking_signatures.hpp"

namespace tutti::interpose {

/// Arguments of a rank in MPI_Intercomm_create.
struct IntercommLeaders {
  MPI_Comm local;
  int local_leader;
  std::function<MPI_Comm()> peer;  ///< means something on the leaders alone, as what follows does
  int remote_leader;
  int tag;
};

/// Returns the leaders in arguments as words, or as the addresses that Fortran passes.
template <typename A>
IntercommLeaders leaders(A local, A local_leader, A peer, A remote_leader, A tag) {
  return {argument_of<MPI_Comm, int>(local), argument_of<int, int>(local_leader),
          [=] { return argument_of<MPI_Comm, int>(peer); }, argument_of<int, int>(remote_leader),
          argument_of<int, int>(tag)};
}

/// "MPI_Intercomm_create with leader 0", which is the same on all ranks of a group.
std::string words_of(const char* function, const IntercommLeaders& leaders);

/// Returns once the leaders have met, or the code of the error where they never will. `on` is the communicator of this
/// rank's group, all of whose ranks have come; null where they cannot.
int meet_leaders(const char* function, ServedCommunicator* on, const IntercommLeaders& leaders);

}  // namespace tutti::interpose
