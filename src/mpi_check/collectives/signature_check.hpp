/// @file
/// Signature check: compares the types that ranks send in a collective with those that others expect.
///
/// MPI looks at lengths at most: four doubles that arrive as eight integers are silent. In a program that is checked,
/// ranks tell one another what they begin in nonblocking collectives and those of MPI alone (call_comparison.hpp). In a
/// collective that is served, each rank adds a word for all that it sends, and takes away one for all that it expects;
/// where the sum over all ranks is not 0, they tell one another each signature.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "mpi_check/collectives/call_data.hpp"
#include "mpi_check/collectives/call_signature.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {

/// Returns the signatures; of an intercommunicator those for the ranks of the other group.
DataSignatures signatures_of(const CallData& data, const ServedCommunicator& on);

/// After a collective of a communicator that is served, which all ranks have called with as many bytes: what is wrong
/// with their signatures, alike on all ranks. Communicates.
std::optional<Error> difference_of_signatures(const char* function, ServedCommunicator& on, const CallData& data);

/// After all ranks have come: each tells each other one what it sends to it and awaits of it, and all the first of what
/// does not go together. Throws that on all of them.
void compare_flows(const char* function, ServedCommunicator& on, const RankFlows& flows);

}  // namespace tutti::interpose
