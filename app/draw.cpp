/// @file
/// `tutti draw`: the steps of an algorithm, or what ranks do when, as a picture or a page.

#include "app/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "app/commands.hpp"
#include "app/draw_timeline.hpp"
#include "app/nodes.hpp"
#include "app/output_file.hpp"
#include "app/own_commands.hpp"
#include "app/terminal.hpp"
#include "app/uneven.hpp"
#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/tell_user.hpp"
#include "base/units.hpp"
#include "draw/page.hpp"
#include "draw/steps.hpp"
#include "topology/embedding.hpp"

namespace tutti::app {
namespace {

constexpr int most_steps_drawn = 64;

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

Drawn with_places(Drawn drawn, const SimulationRequest& simulation) {
  const Shape& grid = drawn.choice.parameters.grid;
  drawn.topology = placed(simulation, drawn.topology, grid.empty() ? std::nullopt : std::optional(grid));
  return drawn;
}

Outcome draw_trace(const DrawRequest& request, const std::string& output) {
  require(!request.collective, "a trace says itself what ran; leave {} out", name_of(*request.collective));
  require(!request.nodes, "a trace says itself what ran; leave --nodes out");
  const timeline::Timeline timeline = traced_timeline(*request.trace);
  if (!output.ends_with(".html")) return draw_timeline(timeline, output);
  write_file(output, draw::html_of(timeline));
  return {fmt::format("{}: {}\n", output, timeline.title)};
}

Outcome draw_page(const DrawRequest& request, const Drawn& drawn, const std::string& output) {
  const Drawn there = with_places(drawn, request.simulation);
  const draw::Frames frames = steps_of(there, limits_of(request));
  const draw::Arrangement arrangement = draw::arrangement_of(*there.topology, there.layout);
  if (!request.timeline) return written(output, draw::html_of(frames, arrangement), frames);
  const timeline::Timeline timeline = simulated_timeline(drawn, request.simulation);
  return written(output, draw::html_of(frames, arrangement, &timeline), frames);
}

Outcome draw_as_asked(const DrawRequest& request, const Drawn& drawn, const std::string& output) {
  if (output.ends_with(".html")) return draw_page(request, drawn, output);
  if (request.timeline) return draw_timeline(simulated_timeline(drawn, request.simulation), output);
  const StepsDrawing drawing = draw_steps(with_places(drawn, request.simulation), limits_of(request), request.columns);
  return written(output, drawing.svg, drawing.frames);
}

Outcome draw_all(const DrawRequest& request) {
  require(request.output.has_value(), "draw needs a file to write: -o out.svg");
  check_switching(request.simulation.machine);
  const std::string& output = *request.output;
  const bool timed = request.timeline || request.trace;
  require(request.columns == 0 || output.ends_with(".svg"), "a page shows one step at a time; leave --columns out");
  timed ? check_output_file(output, {".svg", ".html", ".json"}) : check_output_file(output, {".svg", ".html"});
  if (request.trace) return draw_trace(request, output);
  if (request.own != OwnKind::none) return draw_own(request, output);
  require(request.collective.has_value(), "draw needs a collective, such as: tutti draw broadcast -o out.svg");
  const Drawn drawn = drawn_of(request);
  Outcome outcome = draw_as_asked(request, drawn, output);
  if (!drawn.why.empty()) outcome.text += screen_text(drawn.why);
  return outcome;
}

}  // namespace

draw::Limits limits_of(const DrawRequest& request) {
  draw::Limits limits;
  if (!request.steps) return limits;
  limits.first = request.steps->first;
  limits.last = request.steps->last;
  return limits;
}

Outcome written(const std::string& output, const std::string& text, const draw::Frames& frames) {
  write_file(output, text);
  for (const std::string& note : frames.notes) tell_user("tutti: {}\n", note);
  const int last = frames.first + static_cast<int>(frames.shown.size()) - 1;
  if (last < frames.steps) tell_user("tutti: --steps {}..{} draws those that follow\n", last + 1, frames.steps);
  return {screen_text(fmt::format("{}: {}, {}", output, frames.title, counted(frames.steps, "step")))};
}

Drawn drawn_of(const DrawRequest& request) {
  const RankRange ranks = request.ranks.value_or(few_ranks);
  require(ranks.first == ranks.last, "draw looks at one number of ranks, not a range");
  require(ranks.first <= draw::most_ranks_framed, "a schedule of {} ranks is too large to draw; take at most {}",
          ranks.first, draw::most_ranks_framed);
  const Problem problem = problem_of(request, *request.collective, ranks.first);
  TopologyPtr topology = request.topology ? request.topology : network_of_nodes(request);
  const TopologyPtr between = topology ? topology : full_topology(problem.ranks);
  const Taken taken =
      algorithm_simulated(request, request.simulation, problem, placed(request.simulation, between, request.grid));
  const Choice choice(*taken.algorithm, taken.parameters);
  if (topology == nullptr) topology = network_for(choice, problem);
  return {problem, choice, layout_of(request), std::move(topology), taken.why, request.unit};
}

draw::Frames steps_of(const Drawn& drawn, const draw::Limits& limits) {
  draw::Frames frames =
      draw::frames_of(record(drawn.choice, drawn.problem, drawn.layout), *drawn.topology, limits, drawn.unit);
  frames.title = fmt::format("{} by {} on {}", frames.title, drawn.choice.algorithm->name, drawn.topology->name());
  return frames;
}

StepsDrawing draw_steps(const Drawn& drawn, const draw::Limits& limits, int columns) {
  StepsDrawing drawing{.svg = {}, .frames = steps_of(drawn, limits)};
  drawing.svg = draw::svg_of(drawing.frames, draw::arrangement_of(*drawn.topology, drawn.layout), columns);
  return drawing;
}

// "3..9", or "5" for one step.
RankRange parse_steps(std::string_view text) {
  constexpr std::int64_t most = 1 << 20;
  const std::size_t dots = text.find("..");
  RankRange steps;
  steps.first = static_cast<int>(parse_integer(text.substr(0, dots), "a step, as in 3..9,", 1, most));
  steps.last = dots == std::string_view::npos
                   ? steps.first
                   : static_cast<int>(parse_integer(text.substr(dots + 2), "the last step", 1, most));
  require(steps.first <= steps.last, "the range of steps {} is empty; write the smaller number first", text);
  require(steps.last - steps.first < most_steps_drawn, "a picture has {} steps at most, not {}", most_steps_drawn,
          steps.last - steps.first + 1);
  return steps;
}

void add_panels(Command& command, DrawRequest& request) {
  add_value(command, request, "--steps", "A..B", "Draw these steps alone, 64 at most (the first 64)",
            [&request](const std::string& text) { request.steps = parse_steps(text); });
  add_value(command, request, "--columns", "N", "Panels side by side in FILE.svg (as many as fit a screen)",
            [&request](const std::string& text) {
              request.columns = static_cast<int>(parse_integer(text, "a number of columns", 1, most_steps_drawn + 1));
            });
  for (const char* name : {"--steps", "--columns"}) {
    command.exclude(name, "--timeline");
    command.exclude(name, "--trace");
  }
}

// Options that say how time passes mean nothing where none is drawn.
void add_timeline(Command& command, DrawRequest& request) {
  command.add_flag("--timeline", request.timeline, "Draw what ranks do when, in a simulation; also as FILE.json");
  add_value(command, request, "--trace", "FILE", "Draw a run that wrote TUTTI_TRACE=FILE; no collective then",
            [&request](const std::string& text) { request.trace = text; });
  command.exclude("--trace", "--timeline");
  add_simulation(command, request, request.simulation);
  for (const char* name :
       {"--switching", "--ts", "--tw", "--ts-inside", "--tw-inside", "--ts-outside", "--tw-outside", "--th", "--tc",
        "--packet", "--ports", "--engine", "--routing", "--background", "--injection", "--eager", "--skew"})
    command.let_need(name, "--timeline");
}

void add_draw(Command& program, Chosen& chosen) {
  const auto request = std::make_shared<DrawRequest>();
  Command command = program.add_command("draw", "The steps of an algorithm, or a timeline, as a picture or a page");
  add_collective(command, *request);
  add_own(command, *request, "After 'messages': 1-6 4-7@2us:64KiB …; after 'program' or 'schedule': its file");
  command.remove_option("--json");
  add_problem(command, *request);
  add_nodes(command, *request, "A color a node; without --topology its switch, and one between the nodes");
  add_timeline(command, *request);
  add_panels(command, *request);
  add_value(command, *request, "-o,--output", "FILE", "Where to write: FILE.svg, or FILE.html, which plays the steps",
            [r = request.get()](const std::string& text) { r->output = text; });
  command.set_footer(
      "Examples:\n  tutti draw broadcast --algorithm binomial --topology ring:8 -o broadcast.svg\n"
      "  tutti draw all-gather --algorithm mesh --topology mesh:3x3 -o all-gather.svg\n"
      "  tutti draw all-reduce --algorithm ring --ranks 8 --steps 8..14 --columns 4 -o all-gather-half.svg\n"
      "  tutti draw shift --distance 5 --algorithm gray-code --ranks 8 -o shift.html\n"
      "  tutti draw all-gather --algorithm ring --nodes 3+5+1 -o nodes.svg\n"
      "  tutti draw program exchange.txt --topology ring:8 -o exchange.svg\n"
      "  tutti draw all-reduce --topology ring:8 --bytes 1MiB --timeline -o timeline.svg\n"
      "  TUTTI_TRACE=run.json ./program && tutti draw --trace run.json -o run.svg");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return draw_all(*request);
    };
  });
}

}  // namespace tutti::app
