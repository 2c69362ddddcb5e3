#include "app/own_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw_timeline.hpp"
#include "app/meaning.hpp"
#include "app/network.hpp"
#include "app/output_file.hpp"
#include "app/packet_times.hpp"
#include "app/terminal.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/circle_of_waits.hpp"
#include "draw/page.hpp"
#include "draw/steps.hpp"
#include "simulate/timeline.hpp"
#include "verify/observe.hpp"

namespace tutti::app {
namespace {

class NobodyLooks final : public proof::Observer {
 public:
  void run_begins(const proof::Execution&) override {}
  void message_passes(proof::Place, proof::Place, std::span<const proof::Piece>) override {}
  void step_ends(int, std::size_t) override {}
};

std::optional<Failure> failure_of(const OwnProgram& program) {
  if (program.solves_problem) return verify(program.schedule).failure;
  NobodyLooks nobody;
  return proof::observe(program.schedule, nobody);
}

// What ranks that wait for one another were to do: "rank 3:" and its text; of messages nothing.
std::vector<std::pair<std::string, std::string>> texts_of(const OwnProgram& program, const std::vector<int>& ranks) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const int rank : ranks) {
    if (static_cast<std::size_t>(rank) < program.texts.size())
      texts.emplace_back(fmt::format("rank {}:", rank), program.texts[static_cast<std::size_t>(rank)]);
  }
  return texts;
}

std::vector<std::string> lines_of(const OwnProgram& program, const std::vector<int>& ranks) {
  std::vector<std::string> lines;
  for (const auto& [rank, text] : texts_of(program, ranks)) lines.push_back(rank + ' ' + text);
  return lines;
}

std::string words_of(const Failure& failure, const OwnProgram& program) {
  std::string words = screen_text(fmt::format("{}: {}", program.title, describe(failure)));
  for (const auto& [rank, text] : texts_of(program, failure.cycle)) words += titled("  " + rank, text, 0);
  return words;
}

Json json_of(const Failure& failure) {
  Json fields{{"kind", name_of(failure.kind)},
              {"rank", failure.rank},
              {"step", failure.step},
              {"slice", failure.slice},
              {"reason", failure.reason}};
  if (!failure.cycle.empty()) fields["cycle"] = failure.cycle;
  return fields;
}

/// What a simulation needs of a request.
struct Run {
  OwnProgram program;
  TopologyPtr topology;
  SimulationOptions options;
  Simulation result;
};

// With sends that are buffered ranks may come to their ends all the same: the simulator says whether they do.
bool may_end_buffered(const Failure& failure, const SimulationRequest& simulation) {
  return simulation.eager && failure.kind == Failure::Kind::deadlock;
}

Run run_of(const Request& request, const SimulationRequest& simulation) {
  Run run{.program = own_program(request), .topology = request.topology, .options = {}, .result = {}};
  const int ranks = run.program.schedule.problem.ranks;
  if (run.topology == nullptr) run.topology = full_topology(ranks);
  run.topology = placed(simulation, run.topology, request.grid);
  run.options = options_of(simulation, ranks);
  run.options.timeline = true;
  run.options.releases = run.program.releases;
  const auto failure = failure_of(run.program);
  if (failure && !may_end_buffered(*failure, simulation)) fail(ErrorCode::unsupported, "{}", describe(*failure));
  Workload workload(run.program.schedule, 1);
  run.result = simulate(workload, *run.topology, simulation.machine, run.options);
  return run;
}

// What the message takes where no other is on its way.
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
  return fields;
}

// The first message hop by hop, in the file; or as a chart, which is returned.
std::string drawn_packets(const Run& run, const Machine& machine, const std::string& output) {
  require(!run.result.timeline.empty(), "there is no message to draw hop by hop; leave --packets out");
  const PacketDiagram diagram = packet_diagram(run.result.timeline.front(), *run.topology, machine);
  if (output != "-") {
    write_file(output, draw::svg_of_packets(diagram.title, diagram.links, diagram.panels));
    return fmt::format("\n{}: {}\n", output, diagram.title);
  }
  constexpr int usual_columns = 100;
  const int columns = line_width() > 0 ? line_width() : usual_columns;
  return fmt::format("\n{}\n{}\n{}", diagram.title, draw::chart_of_packets(diagram.links, diagram.panels, columns),
                     screen_text("Time goes to the right; a digit is a packet, h the header, dots are the start-up."));
}

Outcome draw_circle(const OwnProgram& program, const Failure& failure, const std::string& output) {
  require(!failure.cycle.empty(), "{}: {}", program.title, describe(failure));
  require(output.ends_with(".svg"), "{}: {}; the circle is drawn as FILE.svg alone", program.title, describe(failure));
  write_file(output,
             draw::svg_of_waits(program.title + ": a deadlock", failure.cycle, lines_of(program, failure.cycle)));
  return {fmt::format("{}: {}", output, words_of(failure, program)), 1};
}

Outcome draw_timeline_of(const DrawRequest& request, const std::string& output) {
  const Run run = run_of(request, request.simulation);
  const timeline::Timeline timeline = timeline_of(run.result, run.options, title_of(run, request.simulation));
  if (!output.ends_with(".html")) return draw_timeline(timeline, output);
  write_file(output, draw::html_of(timeline));
  return {fmt::format("{}: {}\n", output, timeline.title)};
}

}  // namespace

Json json_of_message(const TimelineMessage& message) {
  return {{"from", message.from},
          {"to", message.to},
          {"bytes", message.bytes},
          {"send_posted", message.send_posted},
          {"receive_posted", message.receive_posted},
          {"begin", message.begin},
          {"end", message.end}};
}

Outcome verify_own(const Request& request) {
  const OwnProgram program = own_program(request);
  const auto failure = failure_of(program);
  const Traffic traffic = failure ? Traffic{} : traffic_of(program.schedule);
  if (request.json) {
    Json fields{{"title", program.title}, {"ranks", program.schedule.problem.ranks}, {"proved", !failure}};
    fields["failure"] = failure ? json_of(*failure) : Json(nullptr);
    return {fields.dump(2) + '\n', failure ? 1 : 0};
  }
  if (failure) return {words_of(*failure, program), 1};
  const std::string_view what = program.solves_problem ? "proved, also where no send is buffered"
                                                       : "every rank comes to its end, also where no send is buffered";
  return {screen_text(fmt::format("{}: {}; {}, {}, {} in all", program.title, what, counted(traffic.rounds, "round"),
                                  counted(traffic.messages, "message"), text_of(Bytes{traffic.elements})))};
}

Outcome simulate_own(const Request& request, const SimulationRequest& simulation,
                     const std::optional<std::string>& packets) {
  if (packets && *packets != "-") check_output_file(*packets, {".svg"});
  const Run run = run_of(request, simulation);
  const std::string chart = packets ? drawn_packets(run, simulation.machine, *packets) : "";
  if (request.json) return {json_of_run(run, simulation).dump(2) + '\n'};
  return {text_of_run(run, simulation) + chart};
}

Outcome draw_own(const DrawRequest& request, const std::string& output) {
  const OwnProgram program = own_program(request);
  const auto failure = failure_of(program);
  const bool is_circle = failure && !(request.timeline && may_end_buffered(*failure, request.simulation));
  if (is_circle) return draw_circle(program, *failure, output);
  if (request.timeline) return draw_timeline_of(request, output);
  const int ranks = program.schedule.problem.ranks;
  require(ranks <= draw::most_ranks_framed, "a program of {} ranks is too large to draw; take at most {}", ranks,
          draw::most_ranks_framed);
  const TopologyPtr topology =
      placed(request.simulation, request.topology ? request.topology : full_topology(ranks), request.grid);
  draw::Frames frames = draw::frames_of(program.schedule, *topology, limits_of(request),
                                        request.own == OwnKind::schedule ? request.unit : Unit::bytes);
  frames.title = fmt::format("{} on {}", program.title, topology->name());
  const draw::Arrangement arrangement = draw::arrangement_of(*topology);
  const bool page = output.ends_with(".html");
  return written(output, page ? draw::html_of(frames, arrangement) : draw::svg_of(frames, arrangement, request.columns),
                 frames);
}

}  // namespace tutti::app
