#include "plan/parameter_search.hpp"

#include <limits>

#include "algorithms/parameter_check.hpp"
#include "plan/choice.hpp"

namespace tutti {
namespace {

/// How many times what a step has made a choice cheaper the steps that follow may make it cheaper together. What
/// segments cost is about a + b S + c / S for S of them: by doubling S, each fall is at most half of the one before.
constexpr double falls_by_doubling = 1;
constexpr double any_falls = std::numeric_limits<double>::infinity();

}  // namespace

LooksAt open_parameters(const Choice& choice) {
  LooksAt open = algorithms::parameters_of(*choice.algorithm);
  open.segments = open.segments && choice.parameters.segments == 0;
  open.radix = open.radix && choice.parameters.radix == 0;
  open.grid = open.grid && choice.parameters.grid.empty();
  return open;
}

PricedChoice search_parameters(const PricedChoice& priced, const Problem& problem, std::int64_t element_size,
                               const CostModel& model, double to_beat) {
  const Choice& choice = priced.choice;
  PricedChoice best = priced;
  const LooksAt open = open_parameters(choice);
  const auto go = [&](const ParameterValues& values, int direction, double most_falls) {
    bool falls = false;
    for (auto at = static_cast<std::ptrdiff_t>(values.usual) + direction;
         at >= 0 && at < static_cast<std::ptrdiff_t>(values.all.size()); at += direction) {
      const Choice other(*choice.algorithm, values.all[static_cast<std::size_t>(at)]);
      if (!is_cheaper(model.at_least(other, problem, element_size), best.seconds)) break;
      const double seconds = model.seconds_within(best.seconds, other, problem, element_size);
      if (!is_cheaper(seconds, best.seconds)) break;
      const double fall = best.seconds - seconds;
      best = {other, seconds};
      falls = true;
      if (is_cheaper(to_beat, seconds - most_falls * fall)) break;
    }
    return falls;
  };
  const auto search = [&](const ParameterValues& values, double most_falls) {
    if (values.all.size() > 1 && !go(values, -1, any_falls)) go(values, 1, most_falls);
  };
  if (open.segments) search(segments_of(choice, problem), falls_by_doubling);
  if (open.radix) search(radices_of(best.choice, problem), any_falls);
  if (open.grid) search(grids_of(best.choice, problem), any_falls);
  return best;
}

}  // namespace tutti
