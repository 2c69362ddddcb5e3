#include "app/commands/drawn_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/command_line/files.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/options/node_options.hpp"
#include "app/options/selected_algorithm.hpp"
#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/units.hpp"
#include "draw/steps/steps.hpp"
#include "topology/embedding.hpp"

namespace tutti::app {
namespace {

// The names of algorithms whose partners are neighbours on a hypercube.
constexpr std::array<std::string_view, 7> of_hypercubes{
    "binomial", "recursive-doubling", "recursive-halving", "disjoint-trees", "hypercube", "pairwise", "rabenseifner"};

TopologyPtr network_for(const Choice& choice, const Problem& problem) {
  const Algorithm& algorithm = *choice.algorithm;
  const int p = problem.ranks;
  const auto is = [&](std::string_view name) { return algorithm.name == name; };
  if (algorithm.name.starts_with("ring") || is("neighbour-exchange") || is("chain"))
    return grid_topology(Shape{p}, true);
  if (is("mesh") || is("tree")) return grid_topology(choice.parameters.grid_for(p), true);
  if (!is_power_of_two(p)) return full_topology(p);
  if (is("gray-code")) return embedded(hypercube_topology(ceil_log2(p)), ring_in_hypercube(ceil_log2(p)));
  const bool bits = std::find(of_hypercubes.begin(), of_hypercubes.end(), algorithm.name) != of_hypercubes.end();
  return bits ? hypercube_topology(ceil_log2(p)) : full_topology(p);
}

}  // namespace

draw::Limits limits_of(const DrawRequest& request) {
  draw::Limits limits;
  if (!request.steps) return limits;
  limits.first = request.steps->first;
  limits.last = request.steps->last;
  return limits;
}

Outcome written(const std::string& output, const std::string& text, const draw::ScheduleFrames& frames) {
  output.ends_with(".html") ? write_file(output, text) : write_picture(output, text);
  Outcome outcome{screen_text(fmt::format("{}: {}, {}", output, frames.title, counted(frames.steps, "step")))};
  outcome.remarks = frames.notes;
  const int last = frames.first + static_cast<int>(frames.shown.size()) - 1;
  if (last < frames.steps)
    outcome.remarks.push_back(fmt::format("--steps {}..{} draws those that follow", last + 1, frames.steps));
  return outcome;
}

Drawn drawn_of(const DrawRequest& request) {
  const RankRange ranks = request.ranks.value_or(few_ranks);
  require(ranks.first == ranks.last, "draw takes one number of ranks, not a range");
  require(ranks.first <= draw::most_ranks_framed, "a schedule of {} ranks is too large to draw; take at most {}",
          ranks.first, draw::most_ranks_framed);
  const Problem problem = problem_of(request, *request.collective, ranks.first);
  TopologyPtr topology = request.topology ? request.topology : network_of_nodes(request);
  const TopologyPtr between = topology ? topology : full_topology(problem.ranks);
  const SelectedAlgorithm taken =
      algorithm_simulated(request, request.simulation, problem, placed(request.simulation, between, request.grid));
  const Choice choice(*taken.algorithm, taken.parameters);
  if (topology == nullptr) topology = network_for(choice, problem);
  return {problem, choice, layout_of(request), std::move(topology), taken.why, request.unit};
}

draw::ScheduleFrames steps_of(const Drawn& drawn, const draw::Limits& limits) {
  draw::ScheduleFrames frames =
      draw::frames_of(record(drawn.choice, drawn.problem, drawn.layout), *drawn.topology, limits, drawn.unit);
  frames.title = fmt::format("{} by {} on {}", frames.title, drawn.choice.algorithm->name, drawn.topology->name());
  return frames;
}

StepsDrawing draw_steps(const Drawn& drawn, const draw::Limits& limits, int columns) {
  StepsDrawing drawing{.svg = {}, .frames = steps_of(drawn, limits)};
  drawing.svg = draw::svg_of(drawing.frames, draw::arrangement_of(*drawn.topology, drawn.layout), columns);
  return drawing;
}

}  // namespace tutti::app
