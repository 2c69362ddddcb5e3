/// @file
/// Which parameters may be asked for.
#pragma once

#include <string_view>

#include "schedule/parameter_values.hpp"

namespace tutti::algorithms {

/// Which parameters the algorithm has: of one of the catalogue parameters_had_by(), which is found once; of others all,
/// because programs may bring along what looks at any. May be called by several threads at once.
LooksAt parameters_of(const Algorithm& algorithm);

/// Throws `Error(invalid_argument)` for a parameter that has a value and that the algorithm never looks at, naming
/// both, the parameters that the algorithm has, and the algorithms that have that parameter.
void check_parameters(const Parameters& parameters, const Algorithm& algorithm);
/// The same for the algorithm of that name, if there is one; where the name is empty, for a parameter that no algorithm
/// for the collective looks at.
void check_parameters(const Parameters& parameters, Collective collective, std::string_view algorithm);

}  // namespace tutti::algorithms
