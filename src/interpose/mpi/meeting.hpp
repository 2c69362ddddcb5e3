/// @file
/// Meetings of a communicator's ranks by MPI alone, in a program that is checked: in its first collective, and where
/// it is an intercommunicator. A rank that waits for the others for long says so.
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/taken.hpp"

namespace tutti::interpose {

/// Waits until MPI has done what was begun on that communicator, in a call of `function`, and ends only when all of its
/// ranks have come. A wait that never ends, or lasts too long, is told once, also to the communicator's error handler;
/// where that returns, the wait goes on. Returns whether MPI has done it without an error.
bool meet(Taken& on, const char* function, MPI_Request request);

/// The same where MPI brings what rank `leader` of the communicator alone has: `what` follows "waits for".
bool await(Taken& on, const std::string& what, int leader, MPI_Request request);

/// Waits in the same way until all ranks have told what they do next on that communicator (see comparison.hpp); returns
/// whether all of them have called a function that brings them together. Where some have begun a nonblocking collective
/// instead, that is raised.
bool all_have_called(Taken& on, const char* function);

/// Where the handle is that of an intercommunicator whose ranks of both groups are all on this host, in a program that
/// is checked: waits in the same way until all of them have come to `function`, which was called at the frame `entry`.
/// Where some have called another one, or with what does not go together, all of them raise that; returns its code.
/// `what` says what this rank passes, but for the words; it is asked where that is compared.
std::optional<int> meet_between(MPI_Comm handle, const char* function, const void* entry,
                                const std::function<Beginning(const Taken& on)>& what = {});

/// Without the end that tells of counts of the other width: ranks may call either form.
std::string_view without_width(std::string_view function);

}  // namespace tutti::interpose
