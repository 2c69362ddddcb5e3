/// @file
/// Checked polling functions: MPI's functions that look whether something has come and return at once (MPI_Test,
/// MPI_Iprobe and their like). A loop of them that can never end is reported as a wait is.
///
/// A rank that looks again and again for things that do not come, with nothing else done in between, waits for the
/// first of them that comes, until it does something else. So it counts as waiting once that has lasted for twice the
/// time after which a wait is judged: a loop that gives up by itself, as it may, has had time to. Something else is
///
///     any call of MPI that begins or ends something, or that asks for the time;
///     a look that finds what was looked for before, or looks for what was not;
///     work between the looks: see poll_pace.hpp.
///
/// Loops may be ended by others than MPI. Nothing is concluded of a loop that looks for something unknown (requests of
/// files, those that the program itself completes) or for a message that this rank alone could send, and of a rank
/// whose loop something else may end: another thread, a timer that has a handler, a window that others write to.
#pragma once

#include <functional>

#include "mpi_check/point_to_point/mpi_call.hpp"
#include "mpi_check/point_to_point/poll_call.hpp"

namespace tutti::interpose {

/// The program has called a function that looks: what follows is no time of its own.
void begin_look();
/// Makes the call, and says whether it found something. Where the rank waits for ever, so that an error is raised,
/// calls `let_go` afterwards, which tells the program what MPI tells it where there is nothing to look for: a loop that
/// does not look at the error's code ends, too. After begin_look().
int look(const PollCall& what, const OfMpi& call, const std::function<bool()>& has_found, const OfMpi& let_go);

/// Whether `let_go` has been called since this was last set to false.
inline thread_local bool has_let_go = false;

/// Whether this thread is in a loop of looks.
inline thread_local bool polls = false;
void end_polling();
/// The program has done something else than to look. By any thread: a loop counts as a wait where there is but one.
inline void note_other_call() {
  if (polls) end_polling();
}
/// A call of the program's that changes what other ranks may wait for, or says that time passes.
inline int other_call(const OfMpi& call) {
  note_other_call();
  return call();
}

}  // namespace tutti::interpose
