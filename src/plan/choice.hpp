/// @file
/// Which algorithm a call uses.
#pragma once

#include <string_view>

#include "predict/cost_model.hpp"
#include "schedule/algorithm.hpp"

namespace tutti {

/// The cheapest algorithm of the catalogue whose needs the problem meets; of equal prices the first in the catalogue.
/// The choice does not depend on `problem.in_place`. Throws `Error(unsupported)` where none fits.
const Algorithm& choose(const Problem& problem, std::int64_t element_size, const CostModel& model);

/// The algorithm by that name, or where the name is empty the one that the environment's TUTTI_ALGORITHM_<COLLECTIVE>
/// names, or where that is not set the cheapest. Throws `Error` for a name that is unknown or does not fit.
const Algorithm& algorithm_for(const Problem& problem, std::string_view name, std::int64_t element_size,
                               const CostModel& model);

}  // namespace tutti
