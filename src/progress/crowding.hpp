/// @file
/// Waits of ranks that outnumber the cores of their host by far.
#pragma once

#include <algorithm>
#include <chrono>

#include "progress/backoff.hpp"
#include "progress/clock.hpp"
#include "transport/interfaces/world.hpp"

namespace tutti::runtime {

/// Returns how long a rank that waits leaves between two looks at all ranks: with p of them on c cores, all of their
/// looks together take a sixteenth of the cores. A look at one rank reads several lines, which the ranks between two
/// turns have driven out of the caches: 180 ns among 1,024 ranks on two cores, measured where pages are slow to touch.
/// 64 ranks on two cores look every 6.6 ms, 1,024 every 1.7 s, and no rank more seldom than every 5 s, because a look
/// also ends waits that have come to their timeouts.
inline Clock::Duration time_between_rounds(const HostShare& host) {
  constexpr Clock::Duration for_each_rank = std::chrono::nanoseconds(200);
  constexpr int share = 16;
  constexpr std::chrono::seconds longest(5);
  if (!host.is_outnumbered()) return {};
  return std::min<Clock::Duration>(for_each_rank * share * host.ranks * host.ranks / host.cores, longest);
}

/// Returns how often a rank that waits yields before it sleeps. With n ranks on its core, a yield takes n times as long
/// as with one, and so does each that it takes from a rank which has something to do: 1,024 ranks that start on two
/// cores spend most of their time on 1,000 yields each. A few dozen are enough for a call in which no rank is late.
inline int yields_before_sleep(const HostShare& host) {
  constexpr int fewest = 64;
  constexpr int of_all_on_a_core = 32 * Backoff::most_yields;
  return std::clamp(of_all_on_a_core / std::max(1, host.ranks / host.cores), fewest, Backoff::most_yields);
}

/// Returns whether ranks that share a core yield it also where programs of others take it from them. To sleep and to
/// wake one another for each message costs more calls of the system the more ranks there are; a yield costs the slice
/// that another program takes: 0.1 ms where ranks have short slices, else up to 4 ms (docs/decisions/0032).
inline bool is_better_to_yield(const HostShare& host, bool has_short_slices) {
  return host.ranks / host.cores >= (has_short_slices ? 4 : 200);
}

}  // namespace tutti::runtime
