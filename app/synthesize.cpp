/// @file
/// `tutti synthesize`: a schedule made for a network, beside its optimum and the best of the catalogue.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "app/beside.hpp"
#include "app/commands.hpp"
#include "app/network.hpp"
#include "app/output_file.hpp"
#include "app/progress.hpp"
#include "app/terminal.hpp"
#include "app/traffic_options.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "cost/lower_bound.hpp"
#include "schedule_file/schedule_file.hpp"
#include "synthesize/synthesize.hpp"
#include "topology/capacities.hpp"
#include "verify/verify.hpp"

namespace tutti::app {
namespace {

struct SynthesizeRequest : Request {
  Machine machine{.ports = Ports::multiple};
  std::shared_ptr<bool> names_tw;  // whether --tw was given
  TrafficRequest shared = {};      ///< what else holds on the network
  std::int64_t bytes = 1 << 20;
  std::optional<std::int64_t> most_trees;
  std::optional<std::string> output;
};

/// A schedule and what it is worth.
struct Made {
  Problem problem = {};
  synthesize::Synthesis synthesis = {};
  std::int64_t chunks = 1;
  Schedule schedule = {};
  bool low_trees = false;       ///< whether its trees are not those that fill the links best, but lower ones
  double seconds = 0;           ///< simulated, with the traffic asked for
  double adaptive_seconds = 0;  ///< where switches spread messages over the shortest ways
  std::optional<BestOffer> best = {};
  SimulationOptions traffic = {};
  std::optional<LowerBound> injected = {};  ///< what ranks that inject so slowly are never below

  double optimum() const { return synthesis.optimum * static_cast<double>(problem.count); }
  double by_trees() const { return synthesis.achieved * static_cast<double>(problem.count); }
};

// Whether messages between some ranks could take one of several shortest ways.
bool offers_a_choice(const Topology& topology) {
  std::vector<LinkId> links;
  for (int node = 0; node < topology.nodes(); ++node) {
    for (int rank = 0; rank < topology.ranks(); ++rank) {
      links.clear();
      if (node != rank) topology.choices(node, rank, links);
      if (links.size() > 1) return true;
    }
  }
  return false;
}

// Tells a terminal what is being done. What is on a line goes when the next is told, or with the value.
class Stages {
 public:
  explicit Stages(std::size_t all) : all_(all) {}
  ~Stages() {
    if (told_ > 0) clear_progress_bar();
  }

  void begin(const std::string& verb) {
    const Progress bar = progress_bar(verb, all_);
    if (!bar) return;
    clear_progress_bar();
    bar(told_++);
  }

  /// Begins a simulation, whose messages are then told.
  std::function<void(std::int64_t passed, std::int64_t all)> begin_simulation(const std::string& how) {
    begin("simulating" + how);
    return simulation_bar("simulating messages" + how);
  }

 private:
  std::size_t all_;
  std::size_t told_ = 0;
};

// Of an all-reduce each rank's part is told by its own tree.
std::int64_t told_by_each(const Problem& problem) {
  return problem.collective == Collective::all_reduce ? problem.count / problem.ranks : problem.count;
}

// A rank of a full mesh has as many links as there are other ranks, and each of them wants a tree.
std::int64_t most_trees_of(const SynthesizeRequest& request, const Topology& topology) {
  return request.most_trees.value_or(std::max<std::int64_t>(synthesize::Wish{}.most_trees, topology.ranks()));
}

Schedule proved_schedule(const synthesize::Trees& trees, const Problem& problem, std::int64_t chunks) {
  Schedule schedule = synthesize::schedule_over(trees, problem, chunks);
  if (const auto failure = verify(schedule).failure) fail(ErrorCode::internal, "{}", describe(*failure));
  return schedule;
}

// Takes low trees where they need less time. What would take longer already by its starts, or by the fullest link, is
// not simulated.
void take_low_trees_if_faster(Made& made, const synthesize::Wish& wish, const Topology& topology,
                              const Machine& machine) {
  for (synthesize::Synthesis& low : synthesize::with_low_trees(wish, topology, machine)) {
    const double starts = machine.ts * (low.trees.up.depth() + low.trees.down.depth());
    const double full = low.achieved * static_cast<double>(made.problem.count);
    if (std::max(starts, full) >= made.seconds) continue;
    Schedule schedule = proved_schedule(low.trees, made.problem, 1);
    const double seconds = simulated_seconds(schedule, topology, machine, made.traffic);
    if (seconds >= made.seconds) continue;
    low.optimum = made.synthesis.optimum;
    made.synthesis = std::move(low);
    made.chunks = 1;
    made.schedule = std::move(schedule);
    made.low_trees = true;
    made.seconds = seconds;
  }
}

Made made_for(const SynthesizeRequest& request, const Machine& machine) {
  const Topology& topology = *request.topology;
  Request sized = request;
  sized.count = request.bytes;
  Made made{.problem = problem_of(sized, *request.collective, topology.ranks())};
  const Problem& problem = made.problem;
  made.traffic = options_of(request.shared);
  const bool may_adapt = made.traffic.routing == Routing::own && offers_a_choice(topology);
  Stages stages(may_adapt ? 5 : 4);
  stages.begin("packing trees");
  const synthesize::Wish wish{.collective = problem.collective,
                              .root = problem.root,
                              .injection = made.traffic.injection,
                              .bytes = told_by_each(problem),
                              .most_trees = most_trees_of(request, topology)};
  made.synthesis = synthesize::synthesize(wish, topology, machine);
  made.chunks =
      request.segments ? *request.segments : synthesize::best_chunks(made.synthesis, problem, problem.count, machine);
  stages.begin("proving");
  made.schedule = proved_schedule(made.synthesis.trees, problem, made.chunks);
  const auto seconds_by = [&](Routing routing, const std::string& how) {
    SimulationOptions options = made.traffic;
    options.routing = routing;
    options.progress = stages.begin_simulation(how);
    return simulated_seconds(made.schedule, topology, machine, options);
  };
  made.seconds = seconds_by(made.traffic.routing, "");
  if (!request.segments && topology.ranks() > 1) take_low_trees_if_faster(made, wish, topology, machine);
  made.adaptive_seconds = may_adapt ? seconds_by(Routing::minimal_adaptive, " with adaptive routing") : made.seconds;
  stages.begin("comparing the catalogue");
  made.best = best_of_catalogue(problem, request.topology, machine, request.shared);
  if (made.traffic.injection > 0) made.injected = lower_bound(problem, 1, topology, machine, made.traffic.injection);
  return made;
}

// "25 trees, 6 parts of what each root has to tell, at most 4 edges deep"
std::string trees_in_words(const synthesize::Forest& forest) {
  return fmt::format("{}, {} of what each root has to tell, at most {} deep",
                     counted(static_cast<std::int64_t>(forest.trees.size()), "tree"), counted(forest.each, "part"),
                     counted(forest.depth(), "edge"));
}

// Trees are packed into links and limits of injection alone: what else holds shows in the times.
std::string limits_in_words(const Made& made) {
  const std::string traffic = traffic_in_words(made.traffic);
  if (traffic.empty()) return {};
  if (made.traffic.injection <= 0)
    return traffic + ": the times below have this; the trees and the optimum are of the links alone";
  return fmt::format(
      "{}: the times below have this; the trees and the optimum are of the links and what ranks inject, and no "
      "schedule takes less than {} ({})",
      traffic, tutti::text_of(Seconds{made.injected->seconds}), made.injected->name);
}

std::string text_of(const Made& made, const Topology& topology) {
  constexpr std::size_t width = 9;
  const auto& [up, down] = made.synthesis.trees;
  std::string text = screen_text(fmt::format("{} on {}; every rank uses all of its links at once",
                                             describe(made.problem, Unit::bytes), topology.name()));
  text += titled("Optimum",
                 fmt::format("{}, 1/x* = {} a byte: no schedule is faster{}", tutti::text_of(Seconds{made.optimum()}),
                             tutti::text_of(Seconds{made.synthesis.optimum}),
                             made.problem.collective == Collective::all_reduce
                                 ? " that first reduces, and then gathers what it has reduced"
                                 : ""),
                 width);
  if (!up.trees.empty()) text += titled("Up", trees_in_words(up), width);
  if (!down.trees.empty()) text += titled("Down", trees_in_words(down), width);
  if (const std::string limits = limits_in_words(made); !limits.empty()) text += titled("Traffic", limits, width);
  const double rounded = made.by_trees() / made.optimum();
  if (made.low_trees)
    text += titled("Low", "so short a message takes longer by the deeper trees that fill the links best", width);
  else if (rounded > 1 + 1e-9)
    text += titled("Rounded",
                   fmt::format("shares of links are rounded to so few trees: {:.3f} times the optimum; "
                               "--trees N allows more",
                               rounded),
                   width);
  const std::string chunks = "synthesized, " + counted(made.chunks, "chunk");
  std::vector<std::pair<std::string, double>> rows{{chunks, made.seconds}};
  if (std::abs(made.adaptive_seconds - made.seconds) > 1e-9 * made.seconds)
    rows.emplace_back("the same by minimal-adaptive routing", made.adaptive_seconds);
  return text + "Proved.\n\n" + table_beside(rows, made.best, made.optimum(), "OPTIMUM");
}

Json json_of(const synthesize::Forest& forest) {
  if (forest.trees.empty()) return nullptr;
  return Json{{"trees", forest.trees.size()}, {"parts_each", forest.each}, {"depth", forest.depth()}};
}

Json json_of(const Made& made, const Topology& topology) {
  return Json{{"collective", name_of(made.problem.collective)},
              {"topology", topology.name()},
              {"ranks", made.problem.ranks},
              {"root", has_root(made.problem.collective) ? Json(made.problem.root) : Json(nullptr)},
              {"bytes", made.problem.count},
              {"optimum_seconds", made.optimum()},
              {"trees_seconds", made.by_trees()},
              {"up", json_of(made.synthesis.trees.up)},
              {"down", json_of(made.synthesis.trees.down)},
              {"chunks", made.chunks},
              {"low_trees", made.low_trees},
              {"seconds", made.seconds},
              {"minimal_adaptive_seconds", made.adaptive_seconds},
              {"catalogue", json_beside(made.best)},
              {"traffic", traffic_in_words(made.traffic).empty() ? Json(nullptr) : json_of_traffic(made.traffic)},
              {"injection_bound_seconds", made.injected ? Json(made.injected->seconds) : Json(nullptr)}};
}

Outcome run_synthesis(const SynthesizeRequest& request) {
  require(request.collective && request.topology,
          "synthesize needs a collective and a network, such as: tutti synthesize all-gather --topology dgx-1v");
  require(request.bytes >= 1, "there is nothing to send; give --bytes at least 1");
  if (request.output) check_output_file(*request.output, {".json"});
  Machine machine = request.machine;
  if (!*request.names_tw) machine.tw = request.topology->usual_tw().value_or(machine.tw);
  check(machine);
  check_nodes(*request.topology);
  const Made made = made_for(request, machine);
  if (request.output) write_file(*request.output, file_of(made.schedule));
  return {request.json ? json_of(made, *request.topology).dump(2) + '\n' : text_of(made, *request.topology)};
}

}  // namespace

void add_synthesize(Command& program, Chosen& chosen) {
  const auto request = std::make_shared<SynthesizeRequest>();
  Command command = program.add_command("synthesize", "Make a schedule for a network, as fast as its links allow");
  add_collective(command, *request);
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, *request, name, type, help,
              [r = request.get(), read](const std::string& text) { read(*r, text); });
  };
  using Asked = SynthesizeRequest;
  add("--topology", "SHAPE", "dgx-1v, torus:4x4, fat-tree:4x2, …, FILE.json", [](Asked& r, const std::string& text) {
    Network network = parse_network(text);
    r.topology = std::move(network.topology);
    r.traffic = std::move(network.traffic);
  });
  add("--bytes", "SIZE", "m, by the collective's own convention (1MiB)",
      [](Asked& r, const std::string& text) { r.bytes = parse_bytes(text).count; });
  add("--root", "R", "The root of a broadcast or a reduce", [](Asked& r, const std::string& text) {
    r.root = static_cast<int>(parse_integer(text, "a root", 0, most_ranks_asked));
  });
  add("--segments", "S", "Chunks that follow one another down a tree (the number that takes the least time)",
      [](Asked& r, const std::string& text) {
        r.segments = static_cast<int>(parse_integer(text, "a number of segments", 1, 1 << 20));
      });
  add("--trees", "N",
      "Parts at most into which a rank's data is cut to share out links (as many as ranks, 16 at least)",
      [](Asked& r, const std::string& text) { r.most_trees = parse_integer(text, "a number of trees", 1, 1 << 10); });
  add("-o,--output", "FILE.json", "Write the schedule, which verify, price, simulate, draw and bench take",
      [](Asked& r, const std::string& text) { r.output = text; });
  request->names_tw = add_message_costs(command, *request, request->machine);
  add_traffic(command, *request, request->shared);
  command.set_footer(
      "Examples:\n  tutti synthesize all-gather --topology dgx-1v\n"
      "  tutti synthesize all-reduce --topology nvswitch:2x8 --bytes 64MiB -o two-hosts.json\n"
      "  tutti simulate schedule two-hosts.json --topology nvswitch:2x8 --ports multiple\n"
      "  tutti synthesize broadcast --topology torus:4x4 --root 3 --json");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return run_synthesis(*request);
    };
  });
}

}  // namespace tutti::app
