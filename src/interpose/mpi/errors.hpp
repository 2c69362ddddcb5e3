/// @file
/// How a program of MPI learns of tutti's errors.
#pragma once

#include <mpi.h>

#include "interpose/message_wait.hpp"
#include "interpose/mpi/taken.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {

/// Tells the error in a line. Where the program is checked, this rank says from where it called, and so does every
/// other rank of the communicator on this host, wherever it is; they get time to do so, because what follows may end
/// them all. Then calls the communicator's error handler, and returns the code that it got: of tutti's own class, with
/// the error's sentence.
int raise(const Taken& on, const Error& error);

/// The same of a wait for messages on that communicator that never ends, whose sentence says where its ranks have
/// called from. Ranks of it that are in collectives say so themselves.
int raise(const Taken& on, const Hang& hang);

/// The same where the system gives no memory: the code is MPI_ERR_NO_MEM. Ranks that wait for this one are not told.
int raise_no_memory(const Taken& on);

}  // namespace tutti::interpose
