#include "app/commands/user_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/command_line/files.hpp"
#include "app/command_line/outcome.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/draw_timeline.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/user_program_request.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/mistake_picture.hpp"
#include "app/reports/packet_times.hpp"
#include "app/reports/program_report.hpp"
#include "app/reports/symbolic/run_report.hpp"
#include "app/reports/timeline_json.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/page/page.hpp"
#include "draw/steps/deadlock_picture.hpp"
#include "draw/steps/steps.hpp"
#include "simulate/timeline.hpp"

namespace tutti::app {
namespace {

/// Parts of a request that a simulation needs.
struct Run {
  UserProgram program;
  TopologyPtr topology;
  SimulationOptions options;
  Simulation result;
  std::vector<std::string> notes;
};

// With sends that are buffered ranks may come to their ends all the same: the simulator says whether they do.
bool may_end_buffered(const ProofFailure& failure, const SimulationRequest& simulation) {
  return simulation.eager && failure.kind == ProofFailure::Kind::deadlock;
}

Run run_of(const Request& request, const SimulationRequest& simulation) {
  Run run{.program = user_program(request), .topology = request.topology, .options = {}, .result = {}, .notes = {}};
  const int ranks = run.program.schedule.problem.ranks;
  if (run.topology == nullptr) run.topology = full_topology(ranks);
  run.topology = placed(simulation, run.topology, request.grid);
  run.options = options_of(simulation, ranks);
  run.options.timeline = true;
  run.options.releases = run.program.releases;
  const auto failure = failure_of(run.program);
  run.notes = run.program.notes;
  if (failure && is_of_bits_alone(*failure)) {
    run.notes.push_back(note_on_bits(*failure, request.user_words.front()));
  } else if (failure && !may_end_buffered(*failure, simulation)) {
    fail(ErrorCode::unsupported, "{}", describe(*failure));
  }
  Workload workload(run.program.timed(), 1);
  run.result = simulate(workload, *run.topology, simulation.machine, run.options);
  return run;
}

// Returns the seconds of the message while no other is on its way.
double alone(const Run& run, const Machine& machine, const TimelineMessage& message) {
  const std::vector<LinkId> path = route_of(*run.topology, message.from, message.to);
  const PathCost cost = path_cost(machine, *run.topology, path, message.bytes);
  return cost.latency + cost.per_byte * static_cast<double>(message.bytes);
}

std::vector<int> nodes_on_way(const Topology& topology, const TimelineMessage& message) {
  std::vector<int> nodes{message.from};
  for (const LinkId link : route_of(topology, message.from, message.to)) nodes.push_back(topology.link(link).to);
  return nodes;
}

std::string way_in_words(const Topology& topology, const TimelineMessage& message, Routing routing) {
  if (routing != Routing::own) return "chosen as it goes";
  std::string words;
  for (const int node : nodes_on_way(topology, message))
    words += (words.empty() ? "" : "-") + node_in_words(topology, node);
  return words;
}

std::string messages_table(const Run& run, const SimulationRequest& simulation) {
  if (run.result.timeline.empty()) return "No message is sent.\n";
  std::vector<std::vector<std::string>> rows{{"MESSAGE", "SIZE", "BEGINS", "ENDS", "TAKES", "ALONE", "TIMES", "WAY"}};
  for (const TimelineMessage& message : run.result.timeline) {
    const double time = message.end - message.begin;
    const double by_itself = alone(run, simulation.machine, message);
    rows.push_back({fmt::format("{}-{}", message.from, message.to), text_of(Bytes{message.bytes}),
                    text_of(Seconds{message.begin}), text_of(Seconds{message.end}), text_of(Seconds{time}),
                    text_of(Seconds{by_itself}), by_itself > 0 ? fmt::format("{:.3g}", time / by_itself) : "-",
                    way_in_words(*run.topology, message, simulation.routing)});
  }
  return screen_table(rows, {6, 5, 4});
}

std::string title_of(const Run& run, const SimulationRequest& simulation) {
  return fmt::format("{} on {}, {}, {} engine", run.program.title, run.topology->name(),
                     name_of(simulation.machine.switching), name_of(simulation.engine));
}

std::string text_of_run(const Run& run, const SimulationRequest& simulation) {
  const Simulation& result = run.result;
  std::string text =
      fmt::format("{}\nSimulated    {}\n", screen_text(title_of(run, simulation)), text_of(Seconds{result.seconds}));
  if (result.busiest) {
    const Link link = run.topology->link(result.busiest->link);
    text += fmt::format("Busiest link {} to {}: {}\n", node_in_words(*run.topology, link.from),
                        node_in_words(*run.topology, link.to), text_of(Bytes{result.busiest->bytes}));
  }
  text += result.most_shared > 1
              ? fmt::format("Congestion   up to {} messages on a link at a time\n", result.most_shared)
              : std::string("Congestion   none\n");
  text += '\n' + messages_table(run, simulation);
  if (const std::string values = values_text(run.program); !values.empty()) text += '\n' + values;
  if (simulation.routing != Routing::own) return text;
  return text + packets_text(result, *run.topology, simulation.machine);
}

Json json_of_run(const Run& run, const SimulationRequest& simulation) {
  Json messages = Json::array();
  for (const TimelineMessage& m : run.result.timeline) {
    messages.push_back(json_of_message(m));
    messages.back()["alone_seconds"] = alone(run, simulation.machine, m);
    if (simulation.routing == Routing::own) messages.back()["way"] = nodes_on_way(*run.topology, m);
  }
  Json fields{{"title", run.program.title},
              {"topology", run.topology->name()},
              {"ranks", run.program.schedule.problem.ranks},
              {"switching", name_of(simulation.machine.switching)},
              {"engine", name_of(simulation.engine)},
              {"seconds", run.result.seconds},
              {"most_shared", run.result.most_shared},
              {"busiest_link", nullptr},
              {"messages", messages}};
  if (run.result.busiest) {
    const Link link = run.topology->link(run.result.busiest->link);
    fields["busiest_link"] = {{"from", link.from}, {"to", link.to}, {"bytes", run.result.busiest->bytes}};
  }
  add_values(fields, run.program);
  return fields;
}

// The first message hop by hop, in the file; or as a chart, which is returned.
std::string drawn_packets(const Run& run, const Machine& machine, const std::string& output) {
  require(!run.result.timeline.empty(), "there is no message to draw hop by hop; leave --packets out");
  const PacketDiagram diagram = packet_diagram(run.result.timeline.front(), *run.topology, machine);
  if (output != "-") {
    write_picture(output, draw::svg_of_packets(diagram.title, diagram.links, diagram.panels));
    return fmt::format("\n{}: {}\n", output, diagram.title);
  }
  constexpr int usual_columns = 100;
  const int columns = line_width() > 0 ? line_width() : usual_columns;
  return fmt::format("\n{}\n{}\n{}", diagram.title, draw::chart_of_packets(diagram.links, diagram.panels, columns),
                     screen_text("Time goes to the right; a digit is a packet, h the header, dots are the start-up."));
}

// Draws the circle of ranks that wait; of a schedule also the steps up to the one that goes wrong. Neither is a page.
Outcome draw_mistake(const DrawRequest& request, const UserProgram& program, const ProofFailure& failure,
                     const std::string& output) {
  const bool has_steps = request.user_kind == UserKind::schedule && failure.kind != ProofFailure::Kind::malformed;
  const bool has_circle = !failure.cycle.empty();
  require(has_circle || has_steps, "{}: {}", program.title, describe(failure));
  const bool is_picture = std::any_of(picture_endings.begin(), picture_endings.end(),
                                      [&](std::string_view ending) { return output.ends_with(ending); });
  require(is_picture, "{}: {}; {} drawn as FILE.svg, .pdf, .png or .tex", program.title, describe(failure),
          has_circle ? "the circle is" : "the steps up to that are");
  const TopologyPtr topology = request.topology ? request.topology : full_topology(program.schedule.problem.ranks);
  write_picture(output, has_circle ? draw::svg_of_waits(program.title + ": a deadlock", failure.cycle,
                                                        program_lines(program, failure.cycle))
                                   : mistake_picture(program.title, program.schedule, failure, *topology));
  return {fmt::format("{}: {}", output, failure_text(failure, program)), 1};
}

Outcome draw_timeline_of(const DrawRequest& request, const std::string& output) {
  const Run run = run_of(request, request.simulation);
  const timeline::Timeline timeline = timeline_of(run.result, run.options, title_of(run, request.simulation));
  if (!output.ends_with(".html")) return with_notes(draw_timeline(timeline, output), run.notes);
  write_file(output, draw::html_of(timeline));
  return {fmt::format("{}: {}\n", output, timeline.title), 0, run.notes};
}

}  // namespace

Outcome simulate_user_program(const Request& request, const SimulationRequest& simulation,
                              const std::optional<std::string>& packets) {
  if (packets && *packets != "-") check_picture_file(*packets);
  const Run run = run_of(request, simulation);
  const std::string chart = packets ? drawn_packets(run, simulation.machine, *packets) : "";
  if (request.json) return {json_of_run(run, simulation).dump(2) + '\n', 0, run.notes};
  return {text_of_run(run, simulation) + chart, 0, run.notes};
}

Outcome simulate_user_program_in_symbols(const Request& request, const SimulationRequest& simulation,
                                         const SymbolNames& names) {
  const Run run = run_of(request, simulation);
  SymbolicRun found = symbolic_run(run.program.timed(), run.topology, simulation.machine, run.options);
  found.title = title_of(run, simulation);
  return {request.json ? json_of(found, names).dump(2) + '\n' : text_of(found, names), 0, run.notes};
}

Outcome draw_user_program(const DrawRequest& request, const std::string& output) {
  const UserProgram program = user_program(request);
  const auto failure = failure_of(program);
  const bool differs_in_bits = failure && is_of_bits_alone(*failure);
  const bool is_refused =
      failure && !differs_in_bits && !(request.timeline && may_end_buffered(*failure, request.simulation));
  if (is_refused) return draw_mistake(request, program, *failure, output);
  if (request.timeline) return draw_timeline_of(request, output);
  const int ranks = program.schedule.problem.ranks;
  require(ranks <= draw::most_ranks_framed, "a program of {} ranks is too large to draw; take at most {}", ranks,
          draw::most_ranks_framed);
  const TopologyPtr topology =
      placed(request.simulation, request.topology ? request.topology : full_topology(ranks), request.grid);
  draw::ScheduleFrames frames = draw::frames_of(program.schedule, *topology, limits_of(request),
                                                request.user_kind == UserKind::schedule ? request.unit : Unit::bytes);
  frames.title = fmt::format("{} on {}", program.title, topology->name());
  const draw::Arrangement arrangement = draw::arrangement_of(*topology);
  const bool page = output.ends_with(".html");
  std::vector<std::string> notes = program.notes;
  if (differs_in_bits) notes.push_back(note_on_bits(*failure, request.user_words.front()));
  return with_notes(
      written(output, page ? draw::html_of(frames, arrangement) : draw::svg_of(frames, arrangement, request.columns),
              frames),
      notes);
}

}  // namespace tutti::app
