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
/// communicator; all of them belong to the thread that called first. When the program returns from main, or calls
/// std::exit, it waits until the other ranks have come to all collectives that this one has entered.
///
/// Throws `Error(invalid_argument)` where the job's shared memory cannot be attached, `Error(peer_failed)` where a rank
/// has ended before it came, and `Error(unsupported)` where mpirun has started the program but tutti was built without
/// that MPI.
Communicator& world(const RunOptions& options = {});

}  // namespace tutti
