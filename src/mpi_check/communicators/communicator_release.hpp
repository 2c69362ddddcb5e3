/// @file
/// Release of a communicator of the program's: its state goes first, and MPI's own calls meanwhile are left to MPI.
#pragma once

#include <mpi.h>

#include "mpi_job/job/reentrancy_guard.hpp"

namespace tutti::interpose {

/// Scope in which MPI frees a communicator and calls the program's own functions, which may call collectives on it.
/// Such collectives are MPI's: a state made for them would outlive the communicator, and be taken for the state of
/// another one with its handle. Afterwards the calling threads ask anew what they knew by handles.
class CommunicatorRelease {
 public:
  /// Frees for Fortran's functions of Open MPI, and returns what the program's own function has said.
  CommunicatorRelease() = default;
  /// Takes the communicator's own state away first: MPICH returns what the last function that it calls for an attribute
  /// says, which is to be one of the program's.
  explicit CommunicatorRelease(MPI_Comm handle);
  CommunicatorRelease(const CommunicatorRelease&) = delete;
  CommunicatorRelease& operator=(const CommunicatorRelease&) = delete;
  ~CommunicatorRelease();

  /// Whether MPI_Comm_disconnect would wait for ever, and MPI_Comm_free would not: where a wait on the communicator was
  /// given up, MPICH has work there that never ends. Open MPI does not wait for that, but for the other ranks.
  bool leaves_work() const { return leaves_work_; }

 private:
  ReentrancyGuard guard_;
  bool leaves_work_ = false;
};

}  // namespace tutti::interpose
