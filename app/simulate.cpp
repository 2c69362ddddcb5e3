/// @file
/// `tutti simulate`: what an algorithm takes on a network, in virtual time.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/bottleneck.hpp"
#include "app/cheapest.hpp"
#include "app/commands.hpp"
#include "app/draw_timeline.hpp"
#include "app/meaning.hpp"
#include "app/network.hpp"
#include "app/nodes.hpp"
#include "app/output_file.hpp"
#include "app/own_commands.hpp"
#include "app/progress.hpp"
#include "app/simulation_options.hpp"
#include "app/size_limits.hpp"
#include "app/terminal.hpp"
#include "app/uneven.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "cost/closed_form.hpp"
#include "cost/lower_bound.hpp"
#include "draw/timeline.hpp"
#include "simulate/simulate.hpp"
#include "simulate/timeline.hpp"

namespace tutti::app {
namespace {

struct SimulateRequest : Request {
  SimulationRequest simulation;
  std::optional<std::string> timeline;
  bool bottleneck = false;
  std::optional<std::string> packets;
};

Json timeline_json(const Simulation& simulation, const Topology& topology, const Problem& problem,
                   const Choice& choice) {
  Json messages = Json::array();
  Json waits = Json::array();
  for (const TimelineMessage& m : simulation.timeline) {
    messages.push_back(json_of_message(m));
    // The rank that came first waited for the other, and for its ports.
    const double first = std::min(m.send_posted, m.receive_posted);
    if (m.begin <= first) continue;
    const bool sender_first = m.send_posted <= m.receive_posted;
    waits.push_back({{"rank", sender_first ? m.from : m.to},
                     {"for", sender_first ? m.to : m.from},
                     {"begin", first},
                     {"end", m.begin}});
  }
  Json phases = Json::array();
  for (const TimelinePhase& phase : simulation.phases) {
    const Json name = phase.name.empty() ? Json(nullptr) : Json(phase.name);
    phases.push_back({{"rank", phase.rank}, {"begin", phase.begin}, {"phase", name}});
  }
  Json links = Json::array();
  for (const LinkLoad& load : simulation.loads) {
    const Link link = topology.link(load.link);
    links.push_back({{"from", link.from}, {"to", link.to}, {"bytes", load.bytes}});
  }
  return Json{{"collective", name_of(problem.collective)},
              {"algorithm", choice.algorithm->name},
              {"topology", topology.name()},
              {"ranks", problem.ranks},
              {"seconds", simulation.seconds},
              {"finished", simulation.finished},
              {"messages", messages},
              {"waits", waits},
              {"phases", phases},
              {"links", links}};
}

// What the simulated time stands beside.
struct Predictions {
  std::optional<double> closed_form;
  bool exactly = true;
  std::string formula;  // or why there is none
  LowerBound bound;
};

Predictions predict(const SimulateRequest& request, const Topology& topology, const Problem& problem,
                    const Choice& choice) {
  Predictions predictions{
      .bound = lower_bound(problem, 1, topology, request.simulation.machine, request.simulation.injection)};
  if (const std::string_view beyond = beyond_forms(request.simulation); beyond == "--skew") {
    predictions.formula = "none holds with --skew: forms are of ranks that begin together and combine alike";
  } else if (!beyond.empty()) {
    predictions.formula = fmt::format("none is known with {}", beyond);
  } else if (const auto priced = price(choice, problem, topology, request.simulation.machine, layout_of(request))) {
    predictions.closed_form = seconds(priced->terms, 1, request.simulation.machine);
    predictions.exactly = priced->exactly;
    predictions.formula = priced->formula;
  } else {
    predictions.formula = why_no_price(choice, problem, topology, request.simulation.machine, layout_of(request));
  }
  return predictions;
}

Json json_of(const Simulation& result, const SimulateRequest& request, const Topology& topology, const Problem& problem,
             const Choice& choice) {
  const Predictions predictions = predict(request, topology, problem, choice);
  Json fields{{"collective", name_of(problem.collective)},
              {"algorithm", choice.algorithm->name},
              {"algorithm_by", request.algorithm              ? "request"
                               : by_price(request.simulation) ? "price"
                                                              : "simulation"},
              {"ranks", problem.ranks},
              {"bytes", problem.count},
              {"topology", topology.name()},
              {"switching", name_of(request.simulation.machine.switching)},
              {"engine", name_of(request.simulation.engine)},
              {"seconds", result.seconds},
              {"closed_form_seconds", nullptr},
              {"closed_form_exact", nullptr},
              {"bound_seconds", predictions.bound.seconds},
              {"bound", predictions.bound.name},
              {"rounds", result.rounds},
              {"messages", result.messages},
              {"bytes_sent", result.bytes},
              {"most_shared", result.most_shared},
              {"busiest_link", nullptr}};
  if (predictions.closed_form) {
    fields["closed_form_seconds"] = *predictions.closed_form;
    fields["closed_form_exact"] = predictions.exactly;
  }
  if (result.busiest) {
    const Link link = topology.link(result.busiest->link);
    fields["busiest_link"] = {{"from", link.from}, {"to", link.to}, {"bytes", result.busiest->bytes}};
  }
  return fields;
}

std::string node_name(const Topology& topology, int node) {
  return node < topology.ranks() ? fmt::format("rank {}", node) : fmt::format("switch {}", node - topology.ranks());
}

std::string text_of_result(const Simulation& result, const SimulateRequest& request, const Topology& topology,
                           const Problem& problem, const Choice& choice) {
  std::string text =
      screen_text(fmt::format("{} by {} on {}, {}, {} engine", describe(problem, Unit::bytes), choice.algorithm->name,
                              topology.name(), name_of(request.simulation.machine.switching),
                              name_of(request.simulation.engine))) +
      '\n';
  const auto line = [&](std::string_view title, std::string_view words) { text += titled(title, words, 14); };
  const Predictions predictions = predict(request, topology, problem, choice);
  line("Simulated", text_of(Seconds{result.seconds}));
  line("Closed form", predictions.closed_form
                          ? fmt::format("{}{}  {}", predictions.exactly ? "" : "at most ",
                                        text_of(Seconds{*predictions.closed_form}), predictions.formula)
                          : predictions.formula);
  line("Lower bound", fmt::format("{}  {}: {}", text_of(Seconds{predictions.bound.seconds}), predictions.bound.name,
                                  predictions.bound.reason));
  line("Rounds", fmt::format("{}", result.rounds));
  line("Messages", fmt::format("{}, {} in all", result.messages, text_of(Bytes{result.bytes})));
  if (result.busiest) {
    const Link link = topology.link(result.busiest->link);
    line("Busiest link", fmt::format("{} to {}: {}", node_name(topology, link.from), node_name(topology, link.to),
                                     text_of(Bytes{result.busiest->bytes})));
  }
  const bool shared = result.most_shared > 1;
  line("Congestion", shared                 ? fmt::format("up to {} messages on a link at a time", result.most_shared)
                     : topology.dedicated() ? "none: every pair of ranks has links of its own"
                                            : std::string("none: no link carried two messages at a time"));
  return text;
}

NodeTraffic node_traffic(const Workload& workload, const Layout& layout) {
  NodeTraffic traffic(layout);
  for (int rank = 0; rank < workload.ranks(); ++rank) {
    for (std::size_t at = workload.begin(rank); at < workload.begin(rank + 1); ++at) {
      const Move& move = workload.moves()[at];
      if (move.kind == OpKind::send) traffic.add(rank, move.peer, move.bytes);
    }
  }
  return traffic;
}

std::string bytes_in_words(std::int64_t bytes) { return text_of(Bytes{bytes}); }

Outcome run_simulation(const SimulateRequest& request) {
  require(request.own == OwnKind::none || !request.timeline,
          "--timeline is of collectives here; 'tutti draw' has it for messages, programs and schedules as well");
  if (request.timeline) check_output_file(*request.timeline, {".json", ".svg"});
  require(request.own == OwnKind::none || !request.bottleneck, "--bottleneck is of collectives; leave it out");
  // What draws packets shows every switching.
  if (!request.packets) check_switching(request.simulation.machine);
  if (request.own != OwnKind::none) return simulate_own(request, request.simulation, request.packets);
  require(!request.packets, "--packets is of messages of one's own, such as: tutti simulate messages 0-7:4KiB");
  require(request.collective.has_value(),
          "simulate needs a collective, such as: tutti simulate broadcast --topology ring:8");
  const TopologyPtr topology = placed(request.simulation, network_of(request), request.grid);
  const Problem problem = problem_of(request, *request.collective, topology->ranks());
  const Layout layout = layout_of(request);
  SimulationOptions options = options_of(request.simulation, problem.ranks);
  const Taken taken = algorithm_simulated(request, request.simulation, problem, topology);
  const Choice choice(*taken.algorithm, taken.parameters);
  check_simulable(choice, problem, layout, *topology, request.simulation.machine);
  options.timeline = request.timeline.has_value();
  Workload workload(choice, problem, 1, layout);
  const NodeTraffic traffic = node_traffic(workload, layout);
  options.progress = simulation_bar("simulating messages");
  const Simulation result = simulate(workload, *topology, request.simulation.machine, options);
  if (options.progress) clear_progress_bar();
  options.progress = {};
  if (request.timeline) {
    const bool drawn = request.timeline->ends_with(".svg");
    write_file(*request.timeline,
               drawn ? draw::drawing_of(
                           timeline_of(result, options, timeline_title(problem, choice, *topology, request.simulation)))
                           .svg
                     : timeline_json(result, *topology, problem, choice).dump() + '\n');
  }
  options.timeline = false;
  std::optional<Bottlenecks> bound;
  if (request.bottleneck) bound = bottlenecks(choice, problem, topology, request.simulation.machine, layout, options);
  if (request.json) {
    Json fields = json_of(result, request, *topology, problem, choice);
    if (request.nodes) fields["nodes"] = app::json_of(traffic, layout, problem.ranks, "bytes");
    if (bound) fields["bottleneck"] = app::json_of(*bound, *topology);
    return {fields.dump(2) + '\n'};
  }
  const std::string text = text_of_result(result, request, *topology, problem, choice) +
                           (taken.why.empty() ? "" : titled("Algorithm", taken.why, 14)) +
                           (bound ? '\n' + app::text_of(*bound, *topology) : "");
  return {request.nodes ? text + '\n' + text_of(traffic, layout, problem.ranks, bytes_in_words) : text};
}

}  // namespace

void add_simulate(Command& program, Chosen& chosen) {
  const auto request = std::make_shared<SimulateRequest>();
  Command command = program.add_command("simulate", "What an algorithm takes on a network, in virtual time");
  add_collective(command, *request);
  add_own(command, *request, "After 'messages': 1-6 4-7@2us:64KiB …; after 'program' or 'schedule': its file");
  add_problem(command, *request);
  add_nodes(
      command, *request,
      "Without --topology a switch a node, a cable to each rank and one to the switch between; says what crosses");
  add_simulation(command, *request, request->simulation);
  add_value(command, *request, "--timeline", "FILE",
            "Write every message with its times to FILE.json, or draw them in FILE.svg",
            [r = request.get()](const std::string& text) { r->timeline = text; });
  add_value(command, *request, "--packets", "FILE.svg",
            "Draw the first of 'messages' hop by hop; '-' draws on the screen",
            [r = request.get()](const std::string& text) { r->packets = text; });
  command.add_flag("--bottleneck", request->bottleneck,
                   "Say which links are the fullest, and what faster ones, or cheaper messages, would gain");
  command.set_footer(
      "Examples:\n  tutti simulate all-reduce --algorithm ring --topology ring:16 --bytes 1MiB --switching "
      "store-and-forward\n"
      "  tutti simulate all-to-all --algorithm pairwise --topology hypercube:6 --bytes 4KiB --switching cut-through "
      "--th 50ns\n"
      "  tutti simulate broadcast --algorithm binomial --ranks 1048576 --bytes 8 --json\n"
      "  tutti simulate all-reduce --topology rails:2048x8 --bytes 64MiB --bottleneck\n"
      "  tutti simulate all-to-all --topology clos:8x8x4 --routing ecmp:1 --background 16 --bytes 64KiB\n"
      "  tutti simulate messages 1-6 4-7@2us:64KiB --topology linear:8\n"
      "  tutti simulate messages 0-4:4KiB --topology linear:5 --switching store-and-forward --packet 512 --packets -\n"
      "  tutti simulate program exchange.txt --topology ring:8\n"
      "  tutti simulate all-reduce --algorithm ring --nodes 4+4+4 --bytes 1MiB\n"
      "  tutti simulate all-reduce --algorithm leaders --nodes 16x8 --bytes 8 --ts-inside 0.2us --ts-outside 2us");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return run_simulation(*request);
    };
  });
}

}  // namespace tutti::app
