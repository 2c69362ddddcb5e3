/// @file
/// Question of `tutti plan`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/explanation.hpp"
#include "plan/rules.hpp"

namespace tutti::app {

/// Question of a plan: everything but the size.
struct PlanQuestion {
  Problem problem;
  Parameters parameters = {};
  std::int64_t element_size = 1;
  const CostModel* model = nullptr;
  Rules rules = {};                 ///< the administrator's
  const CostModel* even = nullptr;  ///< model of ranks that come together, if ranks come unevenly by the first one
  CrossoverSearch search = CrossoverSearch::other_sizes;
  /// By which winners of trials are kept for such ranks, text_of(PlacementKey); empty: programs do not run there.
  std::vector<std::string> places = {};
  double error = 0;  ///< error that nine tenths of the model's predictions stay below; 0: not known, or none
  bool heeds_environment = false;  ///< whether it is for programs, whose algorithm TUTTI_ALGORITHM_… may name
};

}  // namespace tutti::app
