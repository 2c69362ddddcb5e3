/// @file
/// Place of a thread that computes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace tutti::runtime {

/// The address of the instruction that the thread is about to execute. The thread, of this or another process, is
/// halted meanwhile, as by a debugger: no signal comes to it, and no call of its own is cut short. Nothing where the
/// system does not allow it, where a debugger holds the thread already, and on processors that this function does not
/// know.
std::optional<std::uint64_t> address_of_running(pid_t thread);

}  // namespace tutti::runtime
