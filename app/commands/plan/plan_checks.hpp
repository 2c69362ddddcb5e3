/// @file
/// `tutti plan --check`.
#pragma once

#include "app/commands/machine/launched.hpp"
#include "app/commands/plan/plan_request.hpp"

namespace tutti::app {

/// Holds what is predicted of this machine against the guidelines, or with --run what is measured of threads here, or
/// of processes, as which the command then starts itself again.
Outcome check_choices(const PlanRequest& request);
/// Checks the ranks as which a launcher has started the command, by measurement.
Outcome check_launched(PlanRequest& request, const Launched& launched);

}  // namespace tutti::app
