/// @file
/// Checks of one blocking collective of the program's: its buffers before the call, its signatures after it.
#pragma once

#include <mpi.h>

#include <optional>
#include <type_traits>

#include "interpose/serve/served_collectives.hpp"
#include "mpi_check/collectives/buffer_check.hpp"
#include "mpi_check/collectives/call_data.hpp"
#include "mpi_check/collectives/intercomm_signatures.hpp"
#include "mpi_check/collectives/rendezvous.hpp"
#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {

/// Returns the data of a call, which `Describe` makes of its arguments; nothing if that is null.
template <auto Describe, typename... Arguments>
std::optional<CallData> described(Arguments... arguments) {
  if constexpr (std::is_null_pointer_v<decltype(Describe)>) {
    return std::nullopt;
  } else {
    return Describe(arguments...);
  }
}

/// Serves the call as `Serve` does, but returns the code of the error where this rank gave a wrong buffer, and has run()
/// compare signatures.
template <auto Serve, auto Describe, typename... Arguments>
Served serve_checked(const char* function, ServedCommunicator& on, Arguments... arguments) {
  const std::optional<CallData> data = described<Describe>(arguments...);
  if (data) {
    if (const auto error = refuse_wrong_buffer(function, on, *data)) return error;
  }
  // Also where there are none: an error handler may have left an earlier call by a jump.
  const ServedCommunicator::Describing describing(on, {function, data ? &*data : nullptr});
  return Serve(on, arguments...);
}

/// Serves the call as `Serve` does, or as serve_checked() where the program is checked. Inline, because arguments on the
/// stack, which are stored one by one, would be loaded by two at once: see CallCode.
template <auto Serve, auto Describe, typename... Arguments>
[[gnu::always_inline]] inline Served serve(const char* function, ServedCommunicator& on, Arguments... arguments) {
  return is_checked() ? serve_checked<Serve, Describe>(function, on, arguments...) : Serve(on, arguments...);
}

/// Checks, in a program that is checked, a call that is not served: ranks of an intercommunicator meet, as
/// meet_between() has them, and compare what `Between` makes of the arguments, unless that is null.
template <auto Describe, auto Between, typename... Arguments>
std::optional<int> meet_checked(const char* function, MPI_Comm handle, const void* entry, Arguments... arguments) {
  if (!is_job_ready() || ReentrancyGuard::is_reentrant(entry)) return std::nullopt;
  const std::optional<CallData> data = described<Describe>(arguments...);
  return meet_with_data(function, handle, entry, data, [&](const ServedCommunicator& to) {
    if constexpr (std::is_null_pointer_v<decltype(Between)>) {
      static_cast<void>(to);
      return CallDescription();
    } else {
      return Between(to, arguments...);
    }
  });
}

}  // namespace tutti::interpose
