#include "app/commands/draw_timeline.hpp"

#include <fmt/format.h>

#include "app/command_line/files.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/options/machine_options.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/timeline/timeline.hpp"
#include "pricing/size_limits.hpp"
#include "simulate/timeline.hpp"
#include "timeline/chrome_trace.hpp"
#include "timeline/summary.hpp"

namespace tutti::app {
namespace {

std::string summary(const timeline::Timeline& timeline, const std::string& output) {
  std::string text = screen_text(fmt::format("{}: {}", output, timeline.title));
  for (const std::string& line : timeline::summary_of(timeline)) text += screen_text(line);
  return text;
}

}  // namespace

std::string timeline_title(const Problem& problem, const Choice& choice, const Topology& topology,
                           const SimulationRequest& simulation) {
  return fmt::format("{} by {} on {}, {}, {} engine", describe(problem, Unit::bytes), choice.algorithm->name,
                     topology.name(), name_of(simulation.machine.switching), name_of(simulation.engine));
}

timeline::Timeline simulated_timeline(const Drawn& drawn, const SimulationRequest& simulation) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 20;
  const std::int64_t messages = drawn.choice.claims(drawn.problem, drawn.layout).messages;
  require(messages <= most_messages, "{} by {} over {} ranks takes {} messages; a timeline has at most {}",
          name_of(drawn.problem.collective), drawn.choice.algorithm->name, drawn.problem.ranks, messages,
          most_messages);
  check_simulable(drawn.choice, drawn.problem, drawn.layout, *drawn.topology, simulation.machine);
  SimulationOptions options = options_of(simulation, drawn.problem.ranks);
  options.timeline = true;
  const Shape& grid = drawn.choice.parameters.grid;
  const TopologyPtr topology = placed(simulation, drawn.topology, grid.empty() ? std::nullopt : std::optional(grid));
  Workload workload(drawn.choice, drawn.problem, 1, drawn.layout);
  const Simulation result = simulate(workload, *topology, simulation.machine, options);
  return timeline_of(result, options, timeline_title(drawn.problem, drawn.choice, *topology, simulation));
}

timeline::Timeline traced_timeline(const std::string& file) {
  timeline::Timeline timeline = timeline::timeline_from(read_file(file), file);
  if (timeline.title.empty()) timeline.title = file;
  return timeline;
}

Outcome draw_timeline(const timeline::Timeline& timeline, const std::string& output) {
  check_picture_file(output, {".json"});
  if (output.ends_with(".json")) {
    write_file(output, timeline::chrome_trace(timeline));
    return {summary(timeline, output)};
  }
  const draw::TimelineDrawing drawing = draw::drawing_of(timeline);
  write_picture(output, drawing.svg);
  Outcome outcome{summary(timeline, output)};
  outcome.remarks = drawing.notes;
  return outcome;
}

}  // namespace tutti::app
