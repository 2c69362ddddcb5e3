/// @file
/// Kind of a process, by all that decides which processes may read its memory.
#pragma once

#include <cstdint>

namespace tutti::runtime {

/// Returns a number, not 0, that processes of one machine have in common if the system treats them alike where one asks
/// to read another's memory: a process that can read one of them can read them all, and is itself one that they can
/// read. It stands for users, groups, capabilities, namespaces of users and processes, the security module's label and
/// whether the process lets itself be read. A process has a number of its own where some of that is not told, and
/// where it may have been confined on its own (no_new_privs), because the system tells nobody by which rules.
std::uint64_t access_kind_of_this_process();

}  // namespace tutti::runtime
