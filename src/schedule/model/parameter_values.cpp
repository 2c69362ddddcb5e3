#include "schedule/model/parameter_values.hpp"

#include <array>

#include "schedule/record/recording_context.hpp"

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

UsedParameters used_parameters(RecordingContext& context, const Choice& choice, const Problem& problem,
                               const Layout& layout) {
  const ParameterAccess before = context.access();
  Program program;
  record_rank(context, choice, problem, 0, program, layout, Detail::messages);
  const ParameterAccess looked = context.access() - before;
  return {looked.at_segments > 0, looked.at_radix > 0, looked.at_grid > 0};
}

UsedParameters used_parameters(const Choice& choice, const Problem& problem, const Layout& layout) {
  RecordingContext context;
  return used_parameters(context, choice, problem, layout);
}

UsedParameters parameters_used_by(const Algorithm& algorithm) {
  UsedParameters all;
  // Eight ranks are a power of two, and a grid of several rows on one node and on several.
  const Problem problem{.collective = algorithm.collective, .ranks = 8, .count = 64, .distance = 3};
  const std::array<int, 2> two_nodes{4, 4};
  const std::array<int, 4> four_nodes{2, 2, 2, 2};
  for (const Layout& layout : {Layout(), Layout::of_nodes(two_nodes), Layout::of_nodes(four_nodes)}) {
    if (unmet_need(algorithm, problem, layout)) continue;
    const UsedParameters looked = used_parameters(algorithm, problem, layout);
    all.segments |= looked.segments;
    all.radix |= looked.radix;
    all.grid |= looked.grid;
  }
  return all;
}

}  // namespace tutti
