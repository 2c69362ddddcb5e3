/// @file
/// What a run is told beside its program: options, and the environment where they are silent.
#pragma once

#include "progress/progress_engine.hpp"
#include "schedule/planning.hpp"
#include "tutti/run.hpp"

namespace tutti::runtime {

inline constexpr Duration default_timeout(30);
inline constexpr Planning default_planning = Planning::estimate;

/// How long a rank waits: the options', or TUTTI_TIMEOUT, or `default_timeout`. Throws `Error(invalid_argument)` for
/// what is none.
Duration timeout_of(const RunOptions& options);
/// Whether a rank has a progress thread: the options', or TUTTI_PROGRESS_THREAD.
Progress progress_of(const RunOptions& options);

/// What TUTTI_PLAN asks for, `default_planning` where it is not set. Throws `Error(invalid_argument)` for what is no
/// way to plan.
Planning planning_in_environment();

/// Whether TUTTI_EXPLAIN asks for the reasons of each new plan. Throws `Error(invalid_argument)` for what is no 0 or 1.
bool explains_plans();

}  // namespace tutti::runtime
