/// @file
/// Waits of the program's for requests.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "mpi_check/point_to_point/mpi_call.hpp"

namespace tutti::interpose {

/// MPI_Wait and MPI_Waitall of these requests, and where one suffices, MPI_Waitany and MPI_Waitsome.
int wait(const char* function, const std::vector<MPI_Request>& requests, bool any_suffices, const OfMpi& call);
/// After a call that may have ended requests: `before` are their handles as they were, `now` as they are.
void forget_ended(const std::vector<MPI_Request>& before, const MPI_Request* now);

/// Returns once these requests have ended, one of them where that suffices, or nothing is known of them; or the error's
/// code where they never will. If there is no memory to tell of the wait, MPI waits unseen: it has begun already.
std::optional<int> watch_requests(const char* function, const std::vector<MPI_Request>& requests, bool any_suffices);

}  // namespace tutti::interpose
