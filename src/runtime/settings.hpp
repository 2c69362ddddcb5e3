/// @file
/// Settings of a run beside its program: options, and the environment if they are silent.
#pragma once

#include <string>

#include "progress/progress_engine.hpp"
#include "schedule/model/planning.hpp"
#include "tutti/run.hpp"

namespace tutti::runtime {

inline constexpr Duration default_timeout = no_timeout;
inline constexpr Planning default_planning = Planning::estimate;

/// Returns how long a rank waits: the options', or TUTTI_TIMEOUT, or without a limit. Throws `Error(invalid_argument)`
/// for what is none.
Duration timeout_of(const RunOptions& options);
/// Whether a rank has a progress thread: the options', or TUTTI_PROGRESS_THREAD.
Progress progress_of(const RunOptions& options);

/// Returns the planning that TUTTI_PLAN asks for, `default_planning` if it is not set. Throws `Error(invalid_argument)`
/// for what is no way to plan.
Planning planning_in_environment();

/// Whether TUTTI_EXPLAIN asks for the reasons of each new plan. Throws `Error(invalid_argument)` for what is no 0 or 1.
bool explains_plans();

/// Returns the sentence about variables that begin as those that name algorithms and go on with no collective. Empty if
/// there are none. "TUTTI_ALGORITHM_ALLREDUCE names no collective; the nearest is 'TUTTI_ALGORITHM_ALL_REDUCE'".
std::string misnamed_algorithm_variables();

}  // namespace tutti::runtime
