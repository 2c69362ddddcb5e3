/// @file
/// Environment variables of the library. A value that means nothing is reported in a line and removed, so that the
/// default holds: a program that nobody has changed must not fail because of it.
#pragma once

#include <string_view>

#include "tutti/communicator.hpp"

namespace tutti::interpose {

/// The variable's value; empty where it is not set.
std::string_view setting(const char* name);

/// Whether the variable is 1; it is 0 or not set otherwise.
inline bool is_set(const char* name) { return setting(name) == "1"; }

/// Whether the program is to be checked: TUTTI_MPI_CHECK=1.
bool is_checked();

/// Removes variables whose values mean nothing: switches that are neither 0 nor 1, a timeout that is no time, and a
/// TUTTI_PLAN that names no way to plan. To be called before there are communicators, which go by them. Tells it where
/// `is_told`.
void drop_nonsense(bool is_told);
/// Takes TUTTI_TRACE away where threads may call MPI at once: a trace has one lane a rank.
void drop_trace(bool is_told);
/// Takes away algorithms that `ranks` do not know.
void drop_unknown_algorithms(const Communicator& ranks, bool is_told);

}  // namespace tutti::interpose
