/// @file
/// Owner of a program's call: decides, alike on all ranks of a communicator, whether the library serves it.
///
/// In the first collective of a communicator its ranks tell one another what each of them brings. In a program that is
/// checked they meet there as in any other call, so that a rank that waits for ever says so.
#pragma once

#include <mpi.h>

#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/process/call_code.hpp"

namespace tutti::interpose {

/// Decides about a communicator of which that is not known yet: see decide().
CallCode decide_first(ServedCommunicator& on, const char* function);

/// To be called first in each collective that may be served, and decides then whether it is: alike on all ranks,
/// because that depends on what they have agreed on, and on how many such calls the communicator has seen. May
/// communicate once. `function` is the one of MPI's that the program calls. Returns the code of the error where the
/// communicator's ranks do not meet in its first collective, in that call and in each later one.
inline CallCode decide(ServedCommunicator& on, const char* function) {
  return on.is_decided() ? CallCode() : decide_first(on, function);
}

/// Owner of a call: a communicator that is served, or MPI if that is null, or nobody if it has ended in an error.
struct CallOwner {
  ServedCommunicator* on = nullptr;
  CallCode error = {};  ///< its code, of which the communicator's error handler has heard
};

/// The state of a communicator that may be served; null where it is not, and inside of MPI's and of our own functions,
/// which is known by the frame at which the call of `function` came in.
CallOwner owner_of_call(MPI_Comm handle, const char* function, const void* entry);

}  // namespace tutti::interpose
