/// @file
/// End of a loop of looks by something else than what it looks for: a thread, a timer, or a window that others write to.
#pragma once

#include <atomic>

namespace tutti::interpose {

/// Number of the program's windows, into which other ranks may write what it looks at. Relaxed: a window that another
/// thread makes orders nothing here, because a loop counts as a wait only if there is but one thread.
inline std::atomic<int> windows_of_program = 0;

/// Whether nothing but what it looks for would make the program go on, as far as that can be known.
bool ends_by_looks_alone();

}  // namespace tutti::interpose
