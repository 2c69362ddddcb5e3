/// @file
/// Copy of an arena for the child of a fork.
#pragma once

#include "heap/arena/arena.hpp"

namespace tutti::heap {

/// From here on fork() returns only when the child has its own copy of the arena's blocks, at the same addresses:
/// neither process sees what the other writes afterwards. vfork(), posix_spawn(), system() and popen() have no such
/// child. To be called before any other handler is registered with pthread_atfork(): those see the arena as it was.
void guard_forks(Arena& arena) noexcept;

}  // namespace tutti::heap
