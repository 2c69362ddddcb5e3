/// @file
/// The ranks that this program was started as.
#pragma once

#include "tutti/detail/export.hpp"
#include "tutti/run.hpp"

namespace tutti {

/// The communicator of all ranks of the job, so that one `main` runs in every way:
///
///     ./program                 alone, as the only rank
///     tutti run -n 4 ./program  as four processes of this machine, which share memory
///     mpirun -n 4 ./program     as four processes that MPI starts: those of one machine share memory, those of
///                               two send one another messages of MPI
///
/// Under an mpirun a program begins again before its main(), with the heap that ranks share in LD_PRELOAD, unless
/// TUTTI_HEAP=0 is set: see docs/reference/run.md.
///
/// The first call joins the job and returns when all ranks have come; its options hold. Later calls return the same
/// communicator; all of them belong to the thread that called first. A program that ends with status 0 waits until the
/// others have come to all collectives that it has entered; what is wrong then is a line of standard error, status 1.
///
/// A child that the program forks is no rank, whatever it has a copy of: it may drop that, return or exit as it likes,
/// and its calls throw `Error(invalid_argument)`.
///
/// Throws `Error(invalid_argument)` where the job's shared memory cannot be attached, `Error(peer_failed)` where a rank
/// has ended before it came, and `Error(unsupported)` where mpirun has started the program but tutti was built without
/// that MPI.
///
/// Throws `Error(invalid_argument)` after the job's end: see finalize(). Cost: the first call waits for the last rank
/// to start; later ones are a look-up.
TUTTI_API Communicator& world(const RunOptions& options = {});

/// Ends the job before the program does: waits until the other ranks have come to all calls of this one, and under an
/// mpirun until they end the job, too. May be called again, and does nothing then; and without world() before, which
/// begins no job then.
///
/// Throws what is found only now, and ends the job all the same: `Error(invalid_argument)` for a call that was not
/// waited for, and the error of a call to which not all ranks came. At the program's end nobody can catch that. Cost:
/// waits for the slowest rank.
///
/// From here on every call that communicates, by a communicator, a plan, or a handle that was not done, is an
/// `Error(invalid_argument)`, and so is world(); to destroy them, and to use memory that a communicator has allocated,
/// does no harm.
///
/// A program that calls MPI_Init and MPI_Finalize itself need not call this: the job ends within its MPI_Finalize, as
/// it would at exit. Where tutti has started MPI, finalize() ends it.
TUTTI_API void finalize();

}  // namespace tutti
