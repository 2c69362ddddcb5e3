/// @file
/// End of the comparisons of nonblocking collectives, when a communicator is about to be freed, and when the program
/// ends.
#pragma once

#include <mpi.h>

namespace tutti::interpose {

/// The program is about to free that communicator, and all ranks that have begun something there are to tell it before:
/// Open MPI does not free one on which something is under way, but fails. Waits for the program's timeout, and half a
/// minute at most. Returns whether a wait for something that was begun there has been given up.
bool end_comparisons_on(MPI_Comm handle);

/// The program ends: waits until all ranks have told what this one has begun, and returns as raise_difference() does.
/// A collective that some ranks have never begun is raised after the program's timeout, or once all ranks have come to
/// their ends.
void end_comparisons();

}  // namespace tutti::interpose
