#include "schedule/parameter_values.hpp"

#include <array>

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

LooksAt parameters_had_by(const Algorithm& algorithm) {
  LooksAt all;
  // Eight ranks are a power of two, and a grid of several rows on one node and on several.
  const Problem problem{.collective = algorithm.collective, .ranks = 8, .count = 64, .distance = 3};
  const std::array<int, 2> two_nodes{4, 4};
  const std::array<int, 4> four_nodes{2, 2, 2, 2};
  for (const Layout& layout : {Layout(), Layout::of_nodes(two_nodes), Layout::of_nodes(four_nodes)}) {
    if (unmet_need(algorithm, problem, layout)) continue;
    const LooksAt looked = looks_at(algorithm, problem, layout);
    all.segments |= looked.segments;
    all.radix |= looked.radix;
    all.grid |= looked.grid;
  }
  return all;
}

}  // namespace tutti
