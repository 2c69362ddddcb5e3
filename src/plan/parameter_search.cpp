#include "plan/parameter_search.hpp"

#include "algorithms/parameter_check.hpp"
#include "plan/choice.hpp"

namespace tutti {

LooksAt open_parameters(const Choice& choice) {
  LooksAt open = algorithms::parameters_of(*choice.algorithm);
  open.segments = open.segments && choice.parameters.segments == 0;
  open.radix = open.radix && choice.parameters.radix == 0;
  open.grid = open.grid && choice.parameters.grid.empty();
  return open;
}

PricedChoice search_parameters(const PricedChoice& priced, const Problem& problem, std::int64_t element_size,
                               const CostModel& model) {
  const Choice& choice = priced.choice;
  PricedChoice best = priced;
  const LooksAt open = open_parameters(choice);
  const auto go = [&](const ParameterValues& values, int direction) {
    bool falls = false;
    for (auto at = static_cast<std::ptrdiff_t>(values.usual) + direction;
         at >= 0 && at < static_cast<std::ptrdiff_t>(values.all.size()); at += direction) {
      const Choice other(*choice.algorithm, values.all[static_cast<std::size_t>(at)]);
      const double seconds = model.seconds_within(best.seconds, other, problem, element_size);
      if (!is_cheaper(seconds, best.seconds)) break;
      best = {other, seconds};
      falls = true;
    }
    return falls;
  };
  const auto search = [&](const ParameterValues& values) {
    if (values.all.size() > 1 && !go(values, -1)) go(values, 1);
  };
  if (open.segments) search(segments_of(choice, problem));
  if (open.radix) search(radices_of(best.choice, problem));
  if (open.grid) search(grids_of(best.choice, problem));
  return best;
}

}  // namespace tutti
