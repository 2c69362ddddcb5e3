/// @file
/// Lines of Python at which other processes of this machine are.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace tutti::runtime {

/// Prefix of the name of a file in memory to which a process of Python writes its stack at a signal; the signal's
/// number follows. tutti.report_lines() of the Python package makes it.
inline constexpr std::string_view python_stack_file = "tutti-python-stack-";

/// "step (train.py:12)": the function and line that the thread of that process executes; empty where the process does
/// not write its stack, or has not written it within 0.1 s. The thread gets the signal: a call of the system that it is
/// in goes on, or is repeated by Python.
std::string python_line(pid_t process, pid_t thread);

/// The innermost line of a stack as Python's faulthandler writes it, in the same words; empty before it is whole.
std::string innermost_python_line(std::string_view stack);

}  // namespace tutti::runtime
