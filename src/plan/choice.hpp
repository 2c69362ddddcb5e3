/// @file
/// Which algorithm a call uses.
#pragma once

#include <string>
#include <string_view>

#include "predict/cost_model.hpp"
#include "schedule/algorithm.hpp"

namespace tutti {

/// The cheapest algorithm of the catalogue whose needs the problem meets; of equal prices the first in the catalogue.
/// The choice does not depend on `problem.in_place`. Throws `Error(unsupported)` where none fits.
const Algorithm& choose(const Problem& problem, std::int64_t element_size, const CostModel& model);

/// The variable of the environment that names an algorithm for the collective: "TUTTI_ALGORITHM_ALL_REDUCE".
std::string algorithm_variable(Collective collective);
/// Its value; empty where it is not set. Ranks may differ in it, which the runtime tells them.
std::string_view algorithm_in_environment(Collective collective);

/// The algorithm by that name, or where the name is empty the one that the environment names; null where neither does.
/// Throws `Error` for a name that is unknown or does not fit.
const Algorithm* named_algorithm(const Problem& problem, std::string_view name);
/// The same, or where neither names one the cheapest.
const Algorithm& algorithm_for(const Problem& problem, std::string_view name, std::int64_t element_size,
                               const CostModel& model);

}  // namespace tutti
