/// @file
/// `tutti simulate`: what an algorithm takes on a network, in virtual time.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/command_line/files.hpp"
#include "app/command_line/outcome.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/draw_timeline.hpp"
#include "app/commands/subcommands.hpp"
#include "app/commands/user_commands.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/node_options.hpp"
#include "app/options/selected_algorithm.hpp"
#include "app/options/setting_options.hpp"
#include "app/options/simulation_options.hpp"
#include "app/options/symbol_options.hpp"
#include "app/reports/bottleneck_report.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/node_report.hpp"
#include "app/reports/symbolic/run_report.hpp"
#include "app/reports/timeline_json.hpp"
#include "app/reports/usual_segments.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "cost/closed_form.hpp"
#include "draw/timeline/timeline.hpp"
#include "pricing/bottleneck.hpp"
#include "pricing/size_limits.hpp"
#include "simulate/simulate.hpp"
#include "simulate/timeline.hpp"

namespace tutti::app {
namespace {

struct SimulateRequest : Request {
  SimulationRequest simulation;
  std::optional<std::string> timeline;
  bool bottleneck = false;
  std::optional<std::string> packets;
  SymbolRequest symbols;
};

// Figures beside the simulated time.
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
    predictions.formula =
        "none holds with --skew: closed forms assume that all ranks begin together and combine at one speed";
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

// Time of the local rearrangement that --tr prices.
double seconds_sorting(const SimulateRequest& request, const Problem& problem, const Choice& choice) {
  return request.simulation.machine.tr * rearranged_elements(choice, problem);
}

Json json_of(const Simulation& result, const SimulateRequest& request, const Topology& topology, const Problem& problem,
             const Choice& choice) {
  const Predictions predictions = predict(request, topology, problem, choice);
  Json fields{{"collective", name_of(problem.collective)},
              {"algorithm", choice.algorithm->name},
              {"algorithm_by", request.algorithm              ? "request"
                               : by_price(request.simulation) ? "price"
                                                              : "simulation"},
              {"segments", choice.parameters.segments == 0 ? Json(nullptr) : Json(choice.parameters.segments)},
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
  if (const double sorting = seconds_sorting(request, problem, choice); sorting > 0)
    fields["rearranging_seconds"] = sorting;
  if (result.busiest) {
    const Link link = topology.link(result.busiest->link);
    fields["busiest_link"] = {{"from", link.from}, {"to", link.to}, {"bytes", result.busiest->bytes}};
  }
  return fields;
}

std::string node_name(const Topology& topology, int node) {
  return node < topology.ranks() ? fmt::format("rank {}", node) : fmt::format("switch {}", node - topology.ranks());
}

std::string text_of_result(const Simulation& result, const SimulateRequest& request, const TopologyPtr& network,
                           const Problem& problem, const Choice& choice) {
  const Topology& topology = *network;
  std::string text =
      screen_text(fmt::format("{} by {} on {}, {}, {} engine", describe(problem, Unit::bytes), choice.algorithm->name,
                              topology.name(), name_of(request.simulation.machine.switching),
                              name_of(request.simulation.engine))) +
      '\n';
  const auto line = [&](std::string_view title, std::string_view words) { text += titled(title, words, 14); };
  const Predictions predictions = predict(request, topology, problem, choice);
  line("Simulated", text_of(Seconds{result.seconds}));
  if (const double sorting = seconds_sorting(request, problem, choice); sorting > 0)
    line("Rearranging", fmt::format("{} beside the messages: each rank sorts its blocks; {} in all",
                                    text_of(Seconds{sorting}), text_of(Seconds{result.seconds + sorting})));
  line("Closed form", predictions.closed_form
                          ? fmt::format("{}{}  {}", predictions.exactly ? "" : "at most ",
                                        text_of(Seconds{*predictions.closed_form}), predictions.formula)
                          : predictions.formula);
  const std::string segments = usual_segments_in_words({.problem = problem,
                                                        .topology = network,
                                                        .machine = request.simulation.machine,
                                                        .algorithms = {choice.algorithm},
                                                        .parameters = choice.parameters,
                                                        .layout = layout_of(request),
                                                        .beyond_forms = !beyond_forms(request.simulation).empty()});
  if (!segments.empty()) line("Segments", segments);
  line("Lower bound", fmt::format("{}  {}: {}", text_of(Seconds{predictions.bound.seconds}), predictions.bound.name,
                                  predictions.bound.reason));
  line("Rounds", grouped(result.rounds));
  line("Messages", fmt::format("{}, {} in all", grouped(result.messages), text_of(Bytes{result.bytes})));
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

// The critical path as a formula, which says nothing of single messages, links and nodes.
Outcome simulate_in_symbols(const SimulateRequest& request, const TopologyPtr& topology, const Problem& problem,
                            const SelectedAlgorithm& taken, const SimulationOptions& options) {
  require(!request.timeline && !request.bottleneck, "--symbolic draws nothing; leave --timeline and --bottleneck out");
  require(request.simulation.machine.tr == 0, "--symbolic has no term for --tr; leave one of the two out");
  const Choice choice(*taken.algorithm, taken.parameters);
  const bool forms = beyond_forms(request.simulation).empty();
  const SymbolicRun run =
      symbolic_run(choice, problem, topology, request.simulation.machine, layout_of(request), options, forms);
  if (request.json) return {app::json_of(run, request.symbols.names).dump(2) + '\n'};
  return {app::text_of(run, request.symbols.names) + (taken.why.empty() ? "" : titled("Algorithm", taken.why, 15))};
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

std::string size_in_words(std::int64_t bytes) { return text_of(Bytes{bytes}); }

// The simulation that has chosen the algorithm, where it is the one that is asked for, or one that runs now.
Simulation simulation_of(const SimulateRequest& request, const SelectedAlgorithm& taken, const Problem& problem,
                         const Topology& topology, SimulationOptions options) {
  const bool is_plain =
      !options.timeline && options.engine == Engine::flows && beyond_forms(request.simulation).empty();
  if (taken.simulation && is_plain) return *taken.simulation;
  Workload workload({*taken.algorithm, taken.parameters}, problem, 1, layout_of(request));
  options.progress = simulation_bar("simulating messages");
  Simulation result = simulate(workload, topology, request.simulation.machine, options);
  if (options.progress) clear_progress_bar();
  return result;
}

Outcome run_simulation(const SimulateRequest& request) {
  require(request.user_kind == UserKind::none || !request.timeline,
          "--timeline is for collectives here; 'tutti draw --timeline' takes messages, programs and schedules, too");
  if (request.timeline) check_picture_file(*request.timeline, {".json"});
  require(request.user_kind == UserKind::none || !request.bottleneck, "--bottleneck is for collectives; leave it out");
  // Drawings of packets show every switching.
  if (!request.packets) check_switching(request.simulation.machine);
  if (request.user_kind != UserKind::none) {
    if (request.symbols.symbolic && !request.packets)
      return simulate_user_program_in_symbols(request, request.simulation, request.symbols.names);
    return simulate_user_program(request, request.simulation, request.packets);
  }
  require(!request.packets, "--packets is for messages that you name, such as: tutti simulate messages 0-7:4KiB");
  require(request.collective.has_value(),
          "simulate needs a collective, such as: tutti simulate broadcast --topology ring:8");
  const TopologyPtr topology = placed(request.simulation, network_of(request), request.grid);
  const Problem problem = problem_of(request, *request.collective, topology->ranks());
  const Layout layout = layout_of(request);
  SimulationOptions options = options_of(request.simulation, problem.ranks);
  const SelectedAlgorithm taken = algorithm_simulated(request, request.simulation, problem, topology);
  const Choice choice(*taken.algorithm, taken.parameters);
  check_simulable(choice, problem, layout, *topology, request.simulation.machine);
  if (request.symbols.symbolic) return simulate_in_symbols(request, topology, problem, taken, options);
  options.timeline = request.timeline.has_value();
  const Simulation result = simulation_of(request, taken, problem, *topology, options);
  if (request.timeline) {
    if (request.timeline->ends_with(".json")) {
      write_file(*request.timeline, timeline_json(result, *topology, problem, choice) + '\n');
    } else {
      const std::string title = timeline_title(problem, choice, *topology, request.simulation);
      write_picture(*request.timeline, draw::drawing_of(timeline_of(result, options, title)).svg);
    }
  }
  options.timeline = false;
  std::optional<Bottlenecks> bound;
  if (request.bottleneck) bound = bottlenecks(choice, problem, topology, request.simulation.machine, layout, options);
  std::optional<NodeTraffic> traffic;
  if (request.nodes) traffic.emplace(node_traffic(Workload(choice, problem, 1, layout, Detail::messages), layout));
  if (request.json) {
    Json fields = json_of(result, request, *topology, problem, choice);
    if (traffic) fields["nodes"] = app::json_of(*traffic, layout, problem.ranks, "bytes");
    if (bound) fields["bottleneck"] = app::json_of(*bound, *topology);
    return {fields.dump(2) + '\n'};
  }
  const std::string text = text_of_result(result, request, topology, problem, choice) +
                           (taken.why.empty() ? "" : titled("Algorithm", taken.why, 14)) +
                           (bound ? '\n' + app::text_of(*bound, *topology) : "");
  return {traffic ? text + '\n' + text_of(*traffic, layout, problem.ranks, size_in_words) : text};
}

}  // namespace

void add_simulate(Command command, Chosen& chosen) {
  const auto request = std::make_shared<SimulateRequest>();
  add_collective(command, *request);
  add_user_words(command, *request, "After 'messages': 1-6 4-7@2us:64KiB …; after 'program' or 'schedule': its file");
  add_patch(command, *request);
  add_problem(command, *request);
  add_nodes(command, *request,
            "Without --topology each node has a switch, with a cable to each rank and one to a central switch; says "
            "what crosses");
  add_simulation(command, *request, request->simulation);
  take_settings(*request, request->simulation.machine, NetworkSetting::taken);
  add_value(command, *request, "--timeline", "FILE",
            "Write every message with its times to FILE.json, or draw them: FILE.svg, .pdf, .png or .tex",
            [r = request.get()](const std::string& text) { r->timeline = text; });
  add_value(command, *request, "--packets", "FILE",
            "Draw the first of 'messages' hop by hop: FILE.svg, .pdf, .png or .tex; '-' draws on the screen",
            [r = request.get()](const std::string& text) { r->packets = text; });
  command.add_flag("--bottleneck", request->bottleneck,
                   "Print the fullest links, and what faster links or cheaper messages would gain");
  add_symbols(command, *request, request->symbols);
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
      "  tutti simulate messages 0-8 4-6 --topology mesh:3x3 --symbols a,b,n\n"
      "  tutti simulate program exchange.txt --topology ring:8\n"
      "  tutti simulate program procedure-13 --topology ring:6\n"
      "  tutti simulate all-reduce --algorithm ring --nodes 4+4+4 --bytes 1MiB\n"
      "  tutti simulate all-reduce --algorithm leaders --nodes 16x8 --bytes 8 --ts-inside 0.2us --ts-outside 2us");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return with_notes(run_simulation(*request), request->notes);
    };
  });
}

}  // namespace tutti::app
