#include "schedule/parameter_values.hpp"

#include "schedule/looks.hpp"

namespace tutti {

ParameterValues segments_of(const Choice& choice, const Problem& problem) {
  constexpr int most = 64;
  ParameterValues values;
  const int usual = choice.parameters.segments_for(problem.count);
  for (int segments = 1; segments <= most && segments <= problem.count; segments *= 2) {
    if (segments <= usual) values.usual = values.all.size();
    values.all.push_back(choice.parameters);
    values.all.back().segments = segments;
  }
  return values;
}

ParameterValues radices_of(const Choice& choice, const Problem& problem) {
  constexpr int most = 64;
  ParameterValues values;
  const int usual = choice.parameters.radix_for(problem.ranks);
  for (int radix = 2; radix == 2 || (radix <= most && radix <= problem.ranks); radix *= 2) {
    if (radix <= usual) values.usual = values.all.size();
    values.all.push_back(choice.parameters);
    values.all.back().radix = radix;
  }
  return values;
}

ParameterValues grids_of(const Choice& choice, const Problem& problem) {
  ParameterValues values;
  const Shape usual = choice.parameters.grid_for(problem.ranks);
  for (int rows = 1; rows <= problem.ranks; ++rows) {
    if (problem.ranks % rows != 0) continue;
    if (rows == usual.extent(0)) values.usual = values.all.size();
    values.all.push_back(choice.parameters);
    values.all.back().grid = Shape({rows, problem.ranks / rows});
  }
  return values;
}

LooksAt looks_at(const Choice& choice, const Problem& problem, const Layout& layout) {
  const Looks before = looks();
  Program program;
  record_rank(choice, problem, 0, program, layout, Detail::messages);
  const Looks after = looks();
  return {after.at_segments > before.at_segments, after.at_radix > before.at_radix, after.at_grid > before.at_grid};
}

}  // namespace tutti
