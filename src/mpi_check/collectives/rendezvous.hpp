/// @file
/// Meetings of a communicator's ranks by MPI alone, in a program that is checked: in its first collective, and where
/// it is an intercommunicator. A rank that waits for the others for long says so.
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/collectives/call_signature.hpp"
#include "mpi_job/communicators/served_communicator.hpp"

namespace tutti::interpose {

/// Waits until MPI has done what was begun on that communicator, in a call of `function`, and ends only when all of its
/// ranks have come. Returns whether MPI has done it without an error. A wait that never ends, or lasts too long, is
/// given up: the communicator fails, and UnendingWait is thrown. MPI keeps what was begun.
bool meet(ServedCommunicator& on, const char* function, MPI_Request request);

/// Waits for MPI to bring what rank `leader` of the communicator alone has: `what` follows "waits for". The wait lasts
/// as long as that takes: the leader has come, and tells where its own wait never ends.
bool await(ServedCommunicator& on, const std::string& what, int leader, MPI_Request request);

/// Waits in the same way until all ranks have told what they do next on that communicator (see call_comparison.hpp):
/// they are to call a function that brings them together. Where some have begun a nonblocking collective instead, the
/// communicator fails, and that is thrown.
void all_have_called(ServedCommunicator& on, const char* function);

/// Meets the other ranks of an intercommunicator. If the handle is that of an intercommunicator whose ranks of both
/// groups are all on this host, in a program that is checked: waits in the same way until all of them have come to
/// `function`, which was called at the frame `entry`. Where some have called another one, or with what does not go
/// together, all of them raise that; returns its code. `what` says what this rank passes, but for the words; it is
/// asked where that is compared.
std::optional<int> meet_between(MPI_Comm handle, const char* function, const void* entry,
                                const std::function<CallDescription(const ServedCommunicator& on)>& what = {});

}  // namespace tutti::interpose
