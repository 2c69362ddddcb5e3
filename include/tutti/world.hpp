/// @file
/// The ranks that this program was started as.
#pragma once

#include "tutti/run.hpp"

namespace tutti {

/// The communicator of all ranks of the job, so that one `main` runs in every way:
///
///     ./program                 alone, as the only rank
///     tutti run -n 4 ./program  as four processes of this machine, which share memory
///     mpirun -n 4 ./program     as four processes that MPI connects, on one machine or many
///
/// The first call joins the job and returns when all ranks have come; its options hold. Later calls return the same
/// communicator; all of them belong to the thread that called first. A program that ends with status 0 waits until the
/// others have come to all collectives that it has entered; what is wrong then is a line of standard error, status 1.
///
/// Throws `Error(invalid_argument)` where the job's shared memory cannot be attached, `Error(peer_failed)` where a rank
/// has ended before it came, and `Error(unsupported)` where mpirun has started the program but tutti was built without
/// that MPI.
Communicator& world(const RunOptions& options = {});

}  // namespace tutti
