/// @file
/// `tutti plan --rivals`.
#pragma once

#include "app/commands/plan/plan_request.hpp"

namespace tutti::app {

/// Holds what is chosen for networks against what other libraries take there by default (rival_rules()), by the prices
/// of `tutti price`: for each collective that their rules look at, and several sizes. The request's network, or eight
/// usual ones. Status 1 where something that another library takes is faster.
Outcome compare_with_rivals(const PlanRequest& request);

}  // namespace tutti::app
