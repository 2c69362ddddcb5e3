/// @file
/// Look of one call of MPI: the messages or requests that it asks for.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace tutti::interpose {

/// Look of one call.
struct PollCall {
  enum class For : std::uint8_t {
    message,  ///< one that could be received
    one_of,   ///< the requests: MPI_Testany, MPI_Testsome
    all_of,   ///< MPI_Test, MPI_Testall
  };

  const char* function = nullptr;
  For what = For::all_of;
  std::vector<MPI_Request> requests;
  MPI_Comm comm = MPI_COMM_NULL;
  int source = 0, tag = 0;

  friend bool operator==(const PollCall&, const PollCall&) = default;
};

}  // namespace tutti::interpose
