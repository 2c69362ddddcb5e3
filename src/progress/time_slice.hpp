/// @file
/// How long the system lets a thread run before another one of its core has its turn.
#pragma once

#include <chrono>
#include <optional>

namespace tutti::runtime {

/// The shortest slice that Linux grants a thread of the usual policy.
inline constexpr std::chrono::microseconds shortest_slice{100};

/// The time slice of the calling thread; none where the system does not tell one: Linux before 6.12, and threads that
/// are not scheduled by the usual policy.
std::optional<std::chrono::nanoseconds> time_slice();

/// Asks for the shortest time slice for the calling thread, once and for all; does nothing where there is none to ask
/// for, or it is as short already. Threads and processes that this one makes afterwards have it, too.
///
/// Who yields a core gives up the rest of its slice. While a program of somebody else's is on that core, ranks that
/// wait for one another by yields give up a slice each, and the other program has the core until it has had as much:
/// a tick of the system, 4 ms, for each look of a rank. Of slices of 0.1 ms a rank gives up 0.1 ms
/// (docs/decisions/0032). Its share of the core is the same.
void shorten_time_slice();

}  // namespace tutti::runtime
