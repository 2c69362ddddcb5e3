/// @file
/// The parameters of an algorithm with which it is predicted to be fastest.
#pragma once

#include <cstdint>

#include "predict/cost_model.hpp"
#include "schedule/choice.hpp"
#include "schedule/parameter_values.hpp"

namespace tutti {

/// A choice, and a price of it in seconds.
struct PricedChoice {
  Choice choice;
  double seconds = 0;
};

/// Algorithms whose price by their usual parameters is up to so many times the lowest are searched.
inline constexpr double near_the_lowest = 1.5;

/// The parameters that the algorithm has and the choice leaves open.
LooksAt open_parameters(const Choice& choice);

/// The choice, whose price is known, or a cheaper one with other values of its open_parameters(): its segments and its
/// radix among powers of two up to 64, its grid among those of two dimensions. As functions of these, prices fall and
/// then rise: from the usual value the search goes downwards and upwards, as long as the price falls. What makes
/// it no cheaper stays open. Values are no longer tried where they can hardly lead below `to_beat`. A pure
/// function. Cost: at most one price more in each direction than it falls.
PricedChoice search_parameters(const PricedChoice& priced, const Problem& problem, std::int64_t element_size,
                               const CostModel& model, double to_beat = no_limit);

}  // namespace tutti
