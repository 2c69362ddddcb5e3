/// @file
/// `tutti plan --check`.
#pragma once

#include "app/launched.hpp"
#include "app/plan_request.hpp"

namespace tutti::app {

/// Holds what is predicted of this machine against the guidelines, or with --run what is measured of threads here, or
/// of processes, as which the command then starts itself again.
Outcome check_choices(const PlanRequest& request);
/// The same where a launcher has started the command as ranks: what is measured of these.
Outcome check_launched(PlanRequest& request, const Launched& launched);

}  // namespace tutti::app
