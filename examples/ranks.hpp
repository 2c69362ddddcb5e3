/// @file
/// The ranks of an example: those that it was started as, or threads.
#pragma once

#include <functional>

#include "tutti/communicator.hpp"

namespace examples {

/// Returns the number of ranks as which `tutti run` or mpirun has started the program; if it runs alone, `threads`.
int number_of_ranks(int threads);

/// Whether this process is to print and to judge: it has rank 0.
bool speaks();

/// Calls the function on all ranks: in this process on the one that it is, or on `threads` threads.
void on_ranks(int threads, const std::function<void(tutti::Communicator&)>& function);

}  // namespace examples
