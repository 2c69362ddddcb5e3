/// @file
/// The first collective of a communicator in a program that is checked: its ranks meet, and one that waits for the
/// others for long says so.
#pragma once

#include <mpi.h>

#include "interpose/mpi/taken.hpp"

namespace tutti::interpose {

/// Waits until MPI has done what was begun on that communicator, in a call of `function`, and ends only when all of its
/// ranks have come. A wait that never ends, or lasts too long, is told once, also to the communicator's error handler;
/// where that returns, the wait goes on. Returns whether MPI has done it without an error.
bool meet(Taken& on, const char* function, MPI_Request request);

}  // namespace tutti::interpose
