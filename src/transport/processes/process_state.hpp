/// @file
/// What the system tells of another process.
#pragma once

#include <sys/types.h>

#include "transport/origin.hpp"

namespace tutti::runtime {

/// Whether the process that has this number here has the mark; false where this process may not look.
bool has_mark(pid_t process, const ProcessMark& mark) noexcept;

/// Whether the process that has this number here is stopped by a signal; false where /proc does not tell.
bool is_stopped_here(pid_t process);

}  // namespace tutti::runtime
