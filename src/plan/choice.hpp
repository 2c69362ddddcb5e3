/// @file
/// Planner: chooses an algorithm and its parameters for a call, by a cost model.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "predict/model/cost_model.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/model/parameter_values.hpp"

namespace tutti {

/// Request of a call: the part of the choice that its caller has made already.
struct ChoiceRequest {
  std::string_view algorithm = {};  ///< its name; empty: left open
  Parameters parameters = {};       ///< for whichever algorithm is chosen
};

/// Throws `Error(invalid_argument)` for parameters that make no sense over the problem's ranks, or that the requested
/// algorithm never looks at; where none is named, that no algorithm for the collective looks at.
void check(const ChoiceRequest& request, const Problem& problem);

/// Returns the algorithms that a choice looks at, in the order of the catalogue: those whose needs the problem meets
/// over ranks that are where `layout` says, without those for several nodes where there is one.
std::vector<const Algorithm*> candidates_for(const Problem& problem, const Layout& layout);
/// Returns the candidates for a model's layout, with those for several nodes if that is a network.
std::vector<const Algorithm*> candidates_for(const Problem& problem, const CostModel& model);

/// Chooses the cheapest algorithm of the catalogue whose needs the problem meets, over ranks that are where the model
/// says; of those that none is_cheaper() than, the first in the catalogue. It has these parameters, and open ones as
/// search_parameters() finds them. The choice does not depend on `problem.in_place`. Throws `Error(unsupported)` where
/// no algorithm fits.
Choice choose(const Problem& problem, const Parameters& parameters, std::int64_t element_size, const CostModel& model);

/// Returns the algorithm that the environment names for the collective (algorithm_variable()); empty if that is not
/// set. Ranks may differ in it, which the runtime tells them.
std::string_view algorithm_in_environment(Collective collective);

/// Returns the algorithm by that name, or where the name is empty the one that the environment names; null where
/// neither names any. Throws `Error` for a name that is unknown or does not fit.
const Algorithm* named_algorithm(const Problem& problem, std::string_view name, const Layout& layout = {});

/// A choice, and a price of it in seconds.
struct PricedChoice {
  Choice choice;
  double seconds = 0;
};

/// Algorithms whose price by their usual parameters is up to so many times the lowest are searched.
inline constexpr double near_the_lowest = 1.5;

/// The parameters that the algorithm has and the choice leaves open.
UsedParameters open_parameters(const Choice& choice);

/// The choice, whose price is known, or a cheaper one with other values of its open_parameters(): its segments and its
/// radix among powers of two up to 64, its grid among those of two dimensions. As functions of these, prices fall and
/// then rise: from the usual value the search goes downwards and upwards, as long as the price falls. What makes
/// it no cheaper stays open. Values are no longer tried where they can hardly lead below `to_beat`. A pure
/// function. Cost: at most one price more in each direction than it falls.
PricedChoice search_parameters(RecordingContext& context, const PricedChoice& priced, const Problem& problem,
                               std::int64_t element_size, const CostModel& model, double to_beat = no_limit);

}  // namespace tutti
