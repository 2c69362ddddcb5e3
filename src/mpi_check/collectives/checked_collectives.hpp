/// @file
/// Checks of the functions that all ranks of a communicator call and MPI alone carries out: functions that make
/// communicators, windows and files, functions that all ranks of a window or file call, and collectives that are not
/// taken over.
///
/// All ranks of a checked program meet before any of them calls MPI's function: a rank that waits for one that does not
/// come, or that calls something else, reports it, as in a collective. MPI allows each of these functions to wait for
/// all ranks.
///
/// A call on a window or file names no communicator. Each window and file has a communicator of its own here, which is
/// made along with it: the program may use or free the communicator that it named meanwhile, and threads may be in
/// calls of several windows at once.
#pragma once

#include <mpi.h>

#include <functional>

#include "mpi_check/collectives/nonblocking_signatures.hpp"
#include "mpi_check/communicators/intercomm_leaders.hpp"
#include "mpi_check/point_to_point/mpi_call.hpp"

namespace tutti::interpose {

/// In a program that is checked: waits until all ranks of that communicator have come to `function`, which was called
/// at the frame `entry`, then makes the call, which is MPI's, and returns its code. Where they do not come, returns the
/// code of that error. Where the communicator is not served, waits for nobody.
int come_to(const char* function, MPI_Comm handle, const void* entry, const OfMpi& call);

/// Compares MPI_Comm_disconnect, in which MPI may wait for all ranks. If the communicator has failed before, makes the
/// call `free` instead, which waits for nobody.
int come_to_disconnect(MPI_Comm handle, const void* entry, const OfMpi& call, const OfMpi& free);

/// Compares a collective that is MPI's, in which `amount` says what this rank sends to each other one and awaits of
/// each: if that does not go together, all ranks hear of it.
int come_to_exchange(const char* function, MPI_Comm handle, const void* entry, const Amount& amount, const OfMpi& call);

/// Compares MPI_Intercomm_create, in which the leaders of both groups meet, too.
int come_to_join(const char* function, const IntercommLeaders& leaders, const void* entry, const OfMpi& call);

/// Compares a function that makes a communicator of that one, which `made` returns after the call: all of its ranks
/// know it by what it was made of, and as which one. Between the meeting and the call, all of them call `compare`, if
/// there is one, which throws what does not go together.
int come_to_derive(const char* function, MPI_Comm handle, const void* entry, const std::function<MPI_Comm()>& made,
                   const OfMpi& call, const std::function<void(ServedCommunicator& on)>& compare = {});

/// These do the same for functions of windows and files: the first for one that makes a window or file, whose handle
/// `made` returns after the call, the others for one that all its ranks call, and for one that ends it. `Handle` is
/// MPI_Win or MPI_File.
template <typename Handle>
int come_to_make(const char* function, MPI_Comm handle, const void* entry, const std::function<Handle()>& made,
                 const OfMpi& call);
template <typename Handle>
int come_to_use(const char* function, Handle handle, const void* entry, const OfMpi& call);
template <typename Handle>
int come_to_end(const char* function, Handle handle, const void* entry, const OfMpi& call);

}  // namespace tutti::interpose
