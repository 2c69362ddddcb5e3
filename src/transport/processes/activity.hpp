/// @file
/// Activity of another process on this machine: what a thread does at this moment, in words, and its state.
#pragma once

#include <sys/types.h>

#include <string>

#include "transport/origin.hpp"

namespace tutti::runtime {

/// "computes, in relax", "sleeps, in clock_nanosleep", "is stopped": continues "rank 2". `thread` is one of process
/// `process`, by the numbers that this process knows them by; where there is no such thread, the process's first one is
/// meant. Empty where the system does not tell. The function is the innermost one of the thread's stack, left out where
/// this process may not look, and where its file has no name for it. "sleeps, in select called from step (train.py:12)":
/// of a program of Python that reports its lines.
///
/// Nothing that the thread waits for is cut short. One that computes is halted for some microseconds, as by a debugger.
/// A program of Python that reports its lines gets a signal, and no other.
std::string activity_of(pid_t process, pid_t thread);

/// Whether the process that has this number here has the mark; false where this process may not look.
bool has_mark(pid_t process, const ProcessMark& mark) noexcept;

/// Whether the process that has this number here is stopped by a signal; false where /proc does not tell.
bool is_stopped_here(pid_t process);

}  // namespace tutti::runtime
