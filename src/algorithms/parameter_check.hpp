/// @file
/// Check of the parameters that a call asks for.
#pragma once

#include <string_view>

#include "schedule/model/parameter_values.hpp"

namespace tutti::algorithms {

/// Returns the parameters that the algorithm has: for one of the catalogue parameters_used_by(), which is found once;
/// for others all, because programs may bring along algorithms that look at any. May be called by several threads at
/// once.
UsedParameters parameters_of(const Algorithm& algorithm);

/// Throws `Error(invalid_argument)` for a parameter that has a value and that the algorithm never looks at, naming
/// both, the parameters that the algorithm has, and the algorithms that have that parameter.
void check_parameters(const Parameters& parameters, const Algorithm& algorithm);
/// Checks the parameters of the algorithm of that name, if there is one; if the name is empty, refuses a parameter that
/// no algorithm for the collective looks at.
void check_parameters(const Parameters& parameters, Collective collective, std::string_view algorithm);

}  // namespace tutti::algorithms
