/// @file
/// A symbolic run for readers who want to see it: what messages carry and what ranks hold, step by step.
#pragma once

#include <functional>
#include <optional>

#include "schedule/model/schedule.hpp"
#include "verify/execution.hpp"
#include "verify/failure.hpp"

namespace tutti::proof {

/// Runs the schedule symbolically with `observer` watching. Returns why it cannot be run to its end, if so: the first
/// three phases of a proof and the run itself, without a look at the outcome.
std::optional<ProofFailure> observe(const Schedule& schedule, Observer& observer);

/// Proves the schedule, and shows what its run ended with. Returns why it is wrong, if so; then nothing is shown.
std::optional<ProofFailure> examine(const Schedule& schedule,
                                    const std::function<void(const Execution& execution)>& see);

}  // namespace tutti::proof
