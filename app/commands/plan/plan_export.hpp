/// @file
/// tutti's choices as files by which other libraries choose.
#pragma once

#include <string>
#include <vector>

#include "app/commands/plan/plan_request.hpp"
#include "app/commands/plan/rival_rules.hpp"
#include "cost/crossing.hpp"

namespace tutti::app {

/// Writes the files that the request asks for: of its collective, or of all where it names none, over its ranks. At
/// each size the library is told to take the algorithm that is predicted to be fastest of those that it has, too; the
/// text says at which sizes tutti itself would take one that it has not.
Outcome export_choices(const PlanRequest& request);

}  // namespace tutti::app
