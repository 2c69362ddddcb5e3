/// @file
/// Costs from measurements: the constants with which the model's play comes nearest to what was measured.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "predict/stored_profile.hpp"
#include "schedule/choice.hpp"

namespace tutti {

/// A call that was measured on one node.
struct Observation {
  Choice choice;
  Problem problem;
  std::int64_t element_size = 8;
  int cores = 1;       ///< that its ranks had
  double seconds = 0;  ///< above 0
};

/// Searches, from `start` on, for the costs whose predictions differ least from the observations: the mean of the
/// logarithms' distances, beyond 0.5 counted with a smaller slope, so that a few odd measurements bend nothing.
/// Coordinate search with steps that shrink (R. Hooke, T. A. Jeeves, Direct search, 1961) over the logarithms of all
/// costs but `link_byte`, which is made equal to `byte`; each stays within a factor of 100 of where it began, and
/// within what a machine may have (CostField). At least one observation. `progress` is told the part that is done.
/// Cost: about 500 prices for each observation.
MeasuredCosts fit(const MachineCosts& start, std::span<const Observation> observations,
                  const std::function<void(double part)>& progress = {});

/// What costs predict for the observations, in their order, in seconds.
std::vector<double> predictions(const MachineCosts& costs, std::span<const Observation> observations);

}  // namespace tutti
