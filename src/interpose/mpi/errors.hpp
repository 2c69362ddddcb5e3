/// @file
/// How a program of MPI learns of tutti's errors.
#pragma once

#include <mpi.h>

#include <new>
#include <stdexcept>
#include <type_traits>

#include "interpose/message_wait.hpp"
#include "interpose/mpi/taken.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {

/// Tells the error in a line. Where the program is checked, this rank says from where it called, and so does every
/// other rank of the communicator on this host, wherever it is; they get time to do so, because what follows may end
/// them all. Then calls the communicator's error handler, and returns the code that it got: of tutti's own class, with
/// the error's sentence.
int raise(const Taken& on, const Error& error);

/// The same of what this rank alone has done wrong, after which the others have gone on: it alone says where it is.
int raise_of_this_rank(const Taken& on, const Error& error);

/// The same as the first of what this rank has begun there before.
int raise(const Taken& on, const Error& error, const Frames& begun_at);

/// The same of a wait for messages on that communicator that never ends, whose sentence says where its ranks have
/// called from. Ranks of it that are in collectives say so themselves.
int raise(const Taken& on, const Hang& hang);

/// The same of this rank alone, where the system gives no memory: the code is MPI_ERR_NO_MEM. Ranks that wait for this
/// one are not told.
int raise_no_memory(const Taken& on);

/// What `act` returns. Nothing that tutti throws reaches the program, which may be of C: the communicator's error
/// handler gets it, and its code is returned.
template <typename Act>
std::invoke_result_t<Act> done_or_raised(const Taken& on, const Act& act) {
  try {
    return act();
  } catch (const Error& error) {
    return raise(on, error);
  } catch (const std::bad_alloc&) {
    return raise_no_memory(on);
  } catch (const std::length_error&) {  // of a list that is longer than any memory
    return raise_no_memory(on);
  }
}

/// The same of what may need memory before it knows on which communicator it is, where MPI works: that is told on
/// MPI_COMM_WORLD.
template <typename Act>
int done_or_no_memory(const Act& act) {
  try {
    return act();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return raise_no_memory(*state_known_of(MPI_COMM_WORLD));
}

}  // namespace tutti::interpose
