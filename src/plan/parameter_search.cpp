#include "plan/parameter_search.hpp"

#include <algorithm>
#include <vector>

#include "plan/choice.hpp"
#include "schedule/looks.hpp"

namespace tutti {
namespace {

/// What a parameter may be, and which of these the algorithm takes by itself.
struct Values {
  std::vector<Parameters> all;
  std::size_t usual = 0;
};

Values segments_of(const Choice& choice, const Problem& problem) {
  constexpr int most = 64;
  Values values;
  const int usual = choice.parameters.segments_for(problem.count);
  for (int segments = 1; segments <= most && segments <= problem.count; segments *= 2) {
    if (segments <= usual) values.usual = values.all.size();
    values.all.push_back(choice.parameters);
    values.all.back().segments = segments;
  }
  return values;
}

Values grids_of(const Choice& choice, const Problem& problem) {
  Values values;
  const Shape usual = choice.parameters.grid_for(problem.ranks);
  for (int rows = 1; rows <= problem.ranks; ++rows) {
    if (problem.ranks % rows != 0) continue;
    if (rows == usual.extent(0)) values.usual = values.all.size();
    values.all.push_back(choice.parameters);
    values.all.back().grid = Shape({rows, problem.ranks / rows});
  }
  return values;
}

}  // namespace

PricedChoice search_parameters(const PricedChoice& priced, const Problem& problem, std::int64_t element_size,
                               const CostModel& model) {
  const Choice& choice = priced.choice;
  PricedChoice best = priced;
  const Looks before = looks();
  Program program;
  record_rank(choice, problem, 0, program, model.layout());
  const Looks after = looks();
  const auto go = [&](const Values& values, int direction) {
    bool falls = false;
    for (auto at = static_cast<std::ptrdiff_t>(values.usual) + direction;
         at >= 0 && at < static_cast<std::ptrdiff_t>(values.all.size()); at += direction) {
      const Choice other(*choice.algorithm, values.all[static_cast<std::size_t>(at)]);
      const double seconds = model.seconds(other, problem, element_size);
      if (!is_cheaper(seconds, best.seconds)) break;
      best = {other, seconds};
      falls = true;
    }
    return falls;
  };
  const auto search = [&](const Values& values) {
    if (values.all.size() > 1 && !go(values, -1)) go(values, 1);
  };
  if (after.at_segments > before.at_segments && choice.parameters.segments == 0) search(segments_of(choice, problem));
  if (after.at_grid > before.at_grid && best.choice.parameters.grid.empty()) search(grids_of(best.choice, problem));
  return best;
}

}  // namespace tutti
