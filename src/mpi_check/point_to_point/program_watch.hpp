/// @file
/// Watch of a program that is checked: whether its messages and requests are known, and by which thread.
#pragma once

#include <atomic>

namespace tutti::interpose {

/// Whether the program is watched. Relaxed: it becomes so before there are other threads in MPI, and a thread that sees
/// late that it is no more uses what is its own alone.
inline std::atomic<bool> watched = false;
/// Whether this thread may be watched. Where several may be in MPI at once, only the one that has begun it is: from the
/// first call of another thread on, none is.
bool is_watched_here();
inline bool is_watched() { return watched.load(std::memory_order_relaxed) && is_watched_here(); }
/// Whether the program has this thread alone now, where it might have several, and its messages are known.
bool has_one_thread();
/// After MPI has begun: watches the program where it is checked. Ranks that wait in collectives tell what it has under
/// way, too.
void begin_to_watch();
/// MPI is about to end.
inline void stop_watching() { watched.store(false, std::memory_order_relaxed); }
/// The program has come to its end: whoever waits for a message of this rank's waits for ever.
void tell_the_end();

}  // namespace tutti::interpose
