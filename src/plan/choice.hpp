/// @file
/// Which algorithm a call uses, and with which parameters.
#pragma once

#include <string_view>
#include <vector>

#include "predict/cost_model.hpp"
#include "schedule/choice.hpp"

namespace tutti {

/// As much of a choice as a call has made itself.
struct Wish {
  std::string_view algorithm = {};  ///< its name; empty: left open
  Parameters parameters = {};       ///< for whichever algorithm is chosen
};

/// Throws `Error(invalid_argument)` for parameters that make no sense over the problem's ranks, or that what is wished
/// for never looks at: the algorithm, or where none is named any for the collective.
void check(const Wish& wish, const Problem& problem);

/// The algorithms that a choice looks at, in the order of the catalogue: those whose needs the problem meets over ranks
/// that are where `layout` says, without those for several nodes where there is one.
std::vector<const Algorithm*> candidates_for(const Problem& problem, const Layout& layout);
/// The same where the model says, with those for several nodes if that is a network.
std::vector<const Algorithm*> candidates_for(const Problem& problem, const CostModel& model);

/// The cheapest algorithm of the catalogue, with these parameters, and what these leave open as search_parameters() has
/// it, whose needs the problem meets, over ranks that are
/// where the model says; of those that none is_cheaper() than, the first in the catalogue. The choice does not depend
/// on `problem.in_place`. Throws `Error(unsupported)` where none fits.
Choice choose(const Problem& problem, const Parameters& parameters, std::int64_t element_size, const CostModel& model);

/// What the environment names for the collective (algorithm_variable()); empty where that is not set. Ranks may differ
/// in it, which the runtime tells them.
std::string_view algorithm_in_environment(Collective collective);

/// The algorithm by that name, or where the name is empty the one that the environment names; null where neither does.
/// Throws `Error` for a name that is unknown or does not fit.
const Algorithm* named_algorithm(const Problem& problem, std::string_view name, const Layout& layout = {});

}  // namespace tutti
