/// @file
/// Buffer check: finds buffers that a rank may not give to a collective, MPI_IN_PLACE where it has no meaning on that
/// rank, and null where there are elements to read or write.
///
/// MPIs look at few of these themselves: others they read, which ends the program by a signal that names nothing, or
/// they leave other ranks waiting. In a program that is checked, each rank looks at its own before MPI's function is
/// entered.
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>

#include "mpi_check/collectives/call_comparison.hpp"
#include "mpi_check/collectives/call_data.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "tutti/error.hpp"

namespace tutti::interpose {

/// Returns what is wrong with this rank's buffers in a call of `function`; nothing where they may be what they are.
std::optional<Error> wrong_buffer(const char* function, const ServedCommunicator& on, const CallData& data);

/// Raises that, of this rank; returns its code.
std::optional<int> raise_wrong_buffer(const char* function, const ServedCommunicator& on, const CallData& data);

/// Refuses a wrong buffer in a blocking collective of a communicator that is served: if the error handler returns, the
/// other ranks hear of it, too, instead of waiting for this one.
std::optional<int> refuse_wrong_buffer(const char* function, ServedCommunicator& on, const CallData& data);

/// Checks the buffers of a communicator that is not served; ranks of an intercommunicator then meet, as meet_between()
/// has them, and compare also the signatures of `data`.
std::optional<int> meet_with_data(const char* function, MPI_Comm handle, const void* entry,
                                  const std::optional<CallData>& data,
                                  const std::function<CallDescription(const ServedCommunicator& on)>& passed);

/// "MPI_Reduce with a wrong buffer", by which other ranks hear of it.
std::string with_wrong_buffer(const char* function);

}  // namespace tutti::interpose
