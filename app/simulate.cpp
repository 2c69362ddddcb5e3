/// @file
/// `tutti simulate`: what an algorithm takes on a network, in virtual time.

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <memory>

#include "algorithms/catalogue.hpp"
#include "app/commands.hpp"
#include "app/meaning.hpp"
#include "app/network.hpp"
#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/units.hpp"
#include "cost/closed_form.hpp"
#include "cost/lower_bound.hpp"
#include "simulate/simulate.hpp"
#include "topology/embedding.hpp"

namespace tutti::app {
namespace {

struct SimulateRequest : Request {
  Machine machine;
  SimulationOptions options;
  std::optional<std::string> timeline;
  std::vector<std::pair<int, Skew>> skew;
  std::optional<std::string> embedding;
};

// "3:5us" starts rank 3 after 5 us; "3:x2" makes it combine half as fast; both: "3:5us:x2".
std::pair<int, Skew> parse_skew(std::string_view text) {
  const std::size_t colon = text.find(':');
  require(colon != std::string_view::npos, "a skew is RANK:TIME, RANK:xFACTOR or RANK:TIME:xFACTOR, not '{}'", text);
  constexpr std::int64_t most = std::int64_t{1} << 24;
  std::pair<int, Skew> result{static_cast<int>(parse_integer(text.substr(0, colon), "a skewed rank", 0, most)), {}};
  for (std::size_t at = colon + 1; at <= text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    const std::string part(text.substr(at, end - at));
    if (part.starts_with('x')) {
      std::size_t read = 0;
      try {
        result.second.slowness = std::stod(part.substr(1), &read);
      } catch (const std::exception&) {
        read = 0;
      }
      require(
          read > 0 && read + 1 == part.size() && std::isfinite(result.second.slowness) && result.second.slowness > 0,
          "a rank is slower by a factor above 0, such as x2, not '{}'", part);
    } else {
      result.second.start = parse_seconds(part).count;
    }
    at = end + 1;
  }
  return result;
}

std::vector<std::pair<int, Skew>> parse_skews(std::string_view text) {
  std::vector<std::pair<int, Skew>> skews;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    skews.push_back(parse_skew(text.substr(at, end - at)));
    at = end + 1;
  }
  return skews;
}

Engine parse_engine(std::string_view text) {
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    if (name_of(engine) == text) return engine;
  }
  fail(ErrorCode::invalid_argument, "the engines are 'flows' and 'rounds', not '{}'", text);
}

Routing parse_routing(std::string_view text) {
  for (const Routing routing : {Routing::own, Routing::minimal_adaptive}) {
    if (name_of(routing) == text) return routing;
  }
  fail(ErrorCode::invalid_argument, "the routings are 'own' and 'minimal-adaptive', not '{}'", text);
}

// "gray": the grid, or a ring, in a hypercube; "line": a line through the grid; otherwise each rank's place, "0,2,1,3".
std::vector<int> parse_embedding(const std::string& text, const Topology& topology, const std::optional<Shape>& grid) {
  const int p = topology.ranks();
  if (text == "gray") {
    require(is_power_of_two(p), "Gray codes number a power of two of ranks, not {}", p);
    return grid ? mesh_in_hypercube(*grid) : ring_in_hypercube(ceil_log2(p));
  }
  if (text == "line") {
    require(grid.has_value(), "a line goes through a grid, such as --topology mesh:4x4");
    return line_in_grid(*grid);
  }
  std::vector<int> places;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    places.push_back(static_cast<int>(
        parse_integer(text.substr(at, end - at), "a place ('gray', 'line' or a list such as 0,2,1,3)", 0, p - 1)));
    at = end + 1;
  }
  return places;
}

void set_skew(SimulateRequest& request, int ranks) {
  if (request.skew.empty()) return;
  request.options.skew.resize(static_cast<std::size_t>(ranks));
  for (const auto& [rank, skew] : request.skew) {
    require(rank < ranks, "the skewed rank {} is not one of the ranks 0 to {}", rank, ranks - 1);
    request.options.skew[static_cast<std::size_t>(rank)] = skew;
  }
}

Json timeline_json(const Simulation& simulation, const Topology& topology, const Problem& problem,
                   const Algorithm& algorithm) {
  Json messages = Json::array();
  Json waits = Json::array();
  for (const TimelineMessage& m : simulation.timeline) {
    messages.push_back({{"from", m.from},
                        {"to", m.to},
                        {"bytes", m.bytes},
                        {"send_posted", m.send_posted},
                        {"receive_posted", m.receive_posted},
                        {"begin", m.begin},
                        {"end", m.end}});
    // The rank that came first waited for the other, and for its ports.
    const double first = std::min(m.send_posted, m.receive_posted);
    if (m.begin <= first) continue;
    const bool sender_first = m.send_posted <= m.receive_posted;
    waits.push_back({{"rank", sender_first ? m.from : m.to},
                     {"for", sender_first ? m.to : m.from},
                     {"begin", first},
                     {"end", m.begin}});
  }
  Json links = Json::array();
  for (const LinkLoad& load : simulation.loads) {
    const Link link = topology.link(load.link);
    links.push_back({{"from", link.from}, {"to", link.to}, {"bytes", load.bytes}});
  }
  return Json{{"collective", name_of(problem.collective)},
              {"algorithm", algorithm.name},
              {"topology", topology.name()},
              {"ranks", problem.ranks},
              {"seconds", simulation.seconds},
              {"finished", simulation.finished},
              {"messages", messages},
              {"waits", waits},
              {"links", links}};
}

// Written beside its place and moved there, so that no half file is ever seen under the name.
void write_file(const std::string& name, const std::string& text) {
  const std::string beside = name + ".part";
  std::ofstream file(beside, std::ios::binary);
  file << text;
  file.close();
  if (file.good() && std::rename(beside.c_str(), name.c_str()) == 0) return;
  std::remove(beside.c_str());
  fail(ErrorCode::invalid_argument, "the file '{}' cannot be written", name);
}

// What the simulated time stands beside.
struct Predictions {
  std::optional<double> closed_form;
  std::string_view formula;
  LowerBound bound;
};

Predictions predict(const SimulateRequest& request, const Topology& topology, const Problem& problem,
                    const Algorithm& algorithm) {
  Predictions predictions{.bound = lower_bound(problem, 1, topology, request.machine)};
  if (const auto priced = price(algorithm, problem, topology, request.machine)) {
    predictions.closed_form = seconds(priced->terms, 1, request.machine);
    predictions.formula = priced->form->formula;
  }
  return predictions;
}

Json json_of(const Simulation& result, const SimulateRequest& request, const Topology& topology, const Problem& problem,
             const Algorithm& algorithm) {
  const Predictions predictions = predict(request, topology, problem, algorithm);
  Json fields{{"collective", name_of(problem.collective)},
              {"algorithm", algorithm.name},
              {"ranks", problem.ranks},
              {"bytes", problem.count},
              {"topology", topology.name()},
              {"switching", name_of(request.machine.switching)},
              {"engine", name_of(request.options.engine)},
              {"seconds", result.seconds},
              {"closed_form_seconds", nullptr},
              {"bound_seconds", predictions.bound.seconds},
              {"bound", predictions.bound.name},
              {"rounds", result.rounds},
              {"messages", result.messages},
              {"bytes_sent", result.bytes},
              {"most_shared", result.most_shared},
              {"busiest_link", nullptr}};
  if (predictions.closed_form) fields["closed_form_seconds"] = *predictions.closed_form;
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
                           const Problem& problem, const Algorithm& algorithm) {
  std::string text = fmt::format("{} by {} on {}, {}, {} engine\n\n", describe(problem, "byte"), algorithm.name,
                                 topology.name(), name_of(request.machine.switching), name_of(request.options.engine));
  const auto line = [&](std::string_view title, std::string_view words) {
    text += fmt::format("{:<14} {}\n", title, words);
  };
  const Predictions predictions = predict(request, topology, problem, algorithm);
  line("Simulated", text_of(Seconds{result.seconds}));
  line("Closed form", predictions.closed_form
                          ? fmt::format("{}  {}", text_of(Seconds{*predictions.closed_form}), predictions.formula)
                          : std::string("none is known for this network and switching"));
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
  line("Congestion", topology.dedicated() ? "none: every pair of ranks has links of its own"
                     : shared             ? fmt::format("up to {} messages on a link at a time", result.most_shared)
                                          : std::string("none: no link carried two messages at a time"));
  return text;
}

Outcome run_simulation(SimulateRequest& request) {
  require(request.collective.has_value(),
          "simulate needs a collective, such as: tutti simulate broadcast --topology ring:8");
  TopologyPtr topology = network_of(request);
  if (request.embedding) topology = embedded(topology, parse_embedding(*request.embedding, *topology, request.grid));
  const Problem problem = problem_of(request, *request.collective, topology->ranks());
  const Algorithm& algorithm = request.algorithm ? algorithms::fitting(problem, *request.algorithm)
                                                 : *algorithms::algorithms_for(problem.collective).front();
  constexpr std::int64_t most_messages = std::int64_t{1} << 28;
  require(algorithm.claims(problem).messages <= most_messages,
          "{} by {} over {} ranks takes {} messages; a simulation holds at most {}", name_of(problem.collective),
          algorithm.name, problem.ranks, algorithm.claims(problem).messages, most_messages);
  set_skew(request, problem.ranks);
  request.options.timeline = request.timeline.has_value();
  Workload workload(algorithm.record, problem, 1);
  const Simulation result = simulate(workload, *topology, request.machine, request.options);
  if (request.timeline)
    write_file(*request.timeline, timeline_json(result, *topology, problem, algorithm).dump() + '\n');
  if (request.json) return {json_of(result, request, *topology, problem, algorithm).dump(2) + '\n'};
  return {text_of_result(result, request, *topology, problem, algorithm)};
}

}  // namespace

void add_simulate(CLI::App& app, Chosen& chosen) {
  const auto request = std::make_shared<SimulateRequest>();
  CLI::App* command = app.add_subcommand("simulate", "What an algorithm takes on a network, in virtual time");
  add_collective(*command, *request);
  add_problem(*command, *request);
  add_machine(*command, *request, request->machine);
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(*command, *request, name, type, help,
              [r = request.get(), read](const std::string& text) { read(*r, text); });
  };
  add("--engine", "NAME", "flows: ranks at their own pace (the default); rounds: all together",
      [](SimulateRequest& r, const std::string& text) { r.options.engine = parse_engine(text); });
  add("--routing", "NAME",
      "own: the network's routes (the default); minimal-adaptive: the least loaded of the shortest",
      [](SimulateRequest& r, const std::string& text) { r.options.routing = parse_routing(text); });
  add("--embedding", "PLACES",
      "Where the ranks sit: gray (a ring or --grid in a hypercube), line (through a grid), or 0,2,1,3",
      [](SimulateRequest& r, const std::string& text) { r.embedding = text; });
  add("--skew", "RANK:TIME,…", "Ranks that start late, and with :xF combine F times slower: 3:5us,4:0s:x2",
      [](SimulateRequest& r, const std::string& text) { r.skew = parse_skews(text); });
  add("--timeline", "FILE", "Write every message with its times, as JSON",
      [](SimulateRequest& r, const std::string& text) { r.timeline = text; });
  command->footer(
      "Examples:\n  tutti simulate all-reduce --algorithm ring --topology ring:16 --bytes 1MiB --switching "
      "store-and-forward\n"
      "  tutti simulate all-to-all --algorithm pairwise --topology hypercube:6 --bytes 4KiB --switching cut-through "
      "--th 50ns\n"
      "  tutti simulate broadcast --algorithm binomial --ranks 1048576 --bytes 8 --json");
  command->callback([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return run_simulation(*request);
    };
  });
}

}  // namespace tutti::app
