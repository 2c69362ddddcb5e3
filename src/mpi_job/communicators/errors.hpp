/// @file
/// Reports of tutti's errors to a program of MPI.
#pragma once

#include <mpi.h>

#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/process/hang.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {

/// Tells the error in a line. Where the program is checked, this rank says from where it called, and so does every
/// other rank of the communicator on this host, wherever it is; they get time to do so, because what follows may end
/// them all. Then calls the communicator's error handler, and returns the code that it got: of tutti's own class, with
/// the error's sentence.
int raise(const ServedCommunicator& on, const Error& error);

/// Raises an error of this rank alone, after which the others have gone on: it alone says where it is.
int raise_of_this_rank(const ServedCommunicator& on, const Error& error);

/// Raises the error of what this rank has begun there before.
int raise(const ServedCommunicator& on, const Error& error, const CallFrames& begun_at);

/// Raises a wait for messages on that communicator that never ends, whose sentence says where its ranks have called
/// from. Ranks of it that are in collectives say so themselves.
int raise(const ServedCommunicator& on, const Hang& hang);

/// Error of a communicator that has failed before, in a later call: its error handler gets it, and nothing is told.
int raise_again(const ServedCommunicator& on);

/// Ends a call whose wait never ends.
class UnendingWait : public Error {
 public:
  explicit UnendingWait(Hang hang) : Error(ErrorCode::timeout, hang.text), hang_(std::move(hang)) {}
  const Hang& hang() const { return hang_; }

 private:
  Hang hang_;
};

/// Raises on this rank alone that the system gives no memory: the code is MPI_ERR_NO_MEM. Ranks that wait for this one
/// are not told.
int raise_no_memory(const ServedCommunicator& on);

/// Returns the result of `act`. Nothing that tutti throws reaches the program, which may be of C: the communicator's
/// error handler gets it, and its code is returned.
template <typename Act>
std::invoke_result_t<Act> done_or_raised(const ServedCommunicator& on, const Act& act) {
  try {
    return act();
  } catch (const UnendingWait& wait) {
    return raise(on, wait.hang());
  } catch (const Error& error) {
    return raise(on, error);
  } catch (const std::bad_alloc&) {
    return raise_no_memory(on);
  } catch (const std::length_error&) {  // a list that is longer than any memory
    return raise_no_memory(on);
  }
}

/// Returns the result of `act`, which may need memory before it knows on which communicator it is, while MPI works:
/// that is told on MPI_COMM_WORLD.
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
