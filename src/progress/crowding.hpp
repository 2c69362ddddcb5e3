/// @file
/// Waits of ranks that outnumber the cores of their host by far.
#pragma once

#include <chrono>

#include "progress/clock.hpp"
#include "transport/interfaces/world.hpp"

namespace tutti::runtime {

/// Returns how long a rank that waits leaves between two looks at all ranks: with p of them on c cores, all of their
/// looks together take a sixteenth of the cores. 64 ranks on two cores look every 0.7 ms, 1,024 every 168 ms.
inline Clock::Duration time_between_rounds(const HostShare& host) {
  constexpr Clock::Duration for_each_rank = std::chrono::nanoseconds(20);
  constexpr int share = 16;
  if (!host.is_outnumbered()) return {};
  return for_each_rank * share * host.ranks * host.ranks / host.cores;
}

/// Returns whether ranks that share a core yield it also where programs of others take it from them. To sleep and to
/// wake one another for each message costs more calls of the system the more ranks there are; a yield costs the slice
/// that another program takes: 0.1 ms where ranks have short slices, else up to 4 ms (docs/decisions/0032).
inline bool is_better_to_yield(const HostShare& host, bool has_short_slices) {
  return host.ranks / host.cores >= (has_short_slices ? 4 : 200);
}

}  // namespace tutti::runtime
