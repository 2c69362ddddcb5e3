/// @file
/// `tutti synthesize` of collectives whose blocks go to all ranks, or come from all: trees packed into the links.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "app/command_line/terminal.hpp"
#include "app/commands/synthesize.hpp"
#include "app/options/network_words.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/versus_catalogue.hpp"
#include "base/units.hpp"
#include "pricing/pricing_in_words.hpp"
#include "synthesize/overlapped.hpp"
#include "synthesize/synthesize.hpp"

namespace tutti::app {
namespace {

/// A schedule and what it is worth.
struct Made {
  Problem problem = {};
  synthesize::Synthesis synthesis = {};
  std::int64_t chunks = 1;
  Schedule schedule = {};
  bool low_trees = false;       ///< whether its trees are not those that fill the links best, but lower ones
  bool overlapped = false;      ///< whether results go down while contributions still come up
  double seconds = 0;           ///< simulated, with the traffic asked for
  double adaptive_seconds = 0;  ///< seconds if switches spread messages over the shortest ways
  std::optional<CheapestAlgorithm> best = {};
  SimulationOptions traffic = {};
  Machine machine = {};
  LowerBound bound = {};  ///< lower bound of every schedule

  bool all_reduces() const { return problem.collective == Collective::all_reduce; }
  /// For an all-reduce of those alone that reduce-scatter wholly before they all-gather.
  double optimum() const { return synthesis.optimum * static_cast<double>(problem.count); }
  /// Whether no bound is above the optimum.
  bool is_optimum_least() const { return !all_reduces() && optimum() * (1 + 1e-6) >= bound.seconds; }
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

// Returns the elements that each rank tells; of an all-reduce each rank's part is told by its own tree.
std::int64_t told_by_each(const Problem& problem) {
  return problem.collective == Collective::all_reduce ? problem.count / problem.ranks : problem.count;
}

// A rank of a full mesh has as many links as there are other ranks, and each of them wants a tree.
std::int64_t most_trees_of(const SynthesizeRequest& request, const Topology& topology) {
  return request.most_trees.value_or(
      std::max<std::int64_t>(synthesize::SynthesisRequest{}.most_trees, topology.ranks()));
}

Schedule proved_schedule(const synthesize::Trees& trees, const Problem& problem, std::int64_t chunks) {
  Schedule schedule = synthesize::schedule_over(trees, problem, chunks);
  check_proof(schedule);
  return schedule;
}

// Takes low trees where they need less time. What would take longer already by its starts, or by the fullest link, is
// not simulated.
void take_low_trees_if_faster(Made& made, const synthesize::SynthesisRequest& wish, const Topology& topology,
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

// Takes trees up and down at once where they need less time. Where two phases of trees, which take `phases` seconds for
// the links alone, are near the bound, nothing is to be gained.
void take_overlapped_if_faster(Made& made, double phases, const SynthesizeRequest& request,
                               const synthesize::SynthesisRequest& wish, const Machine& machine) {
  constexpr double near = 1.02;
  const Topology& topology = *request.topology;
  const bool may_gain = made.all_reduces() && topology.ranks() > 1 &&
                        topology.ranks() <= synthesize::most_ranks_overlapped && phases > near * made.bound.seconds;
  if (!may_gain) return;
  const std::int64_t bytes = made.problem.count;
  synthesize::Synthesis pairs = synthesize::overlapped_trees(wish, bytes, topology, machine);
  if (pairs.achieved * static_cast<double>(bytes) >= made.seconds) return;
  const std::int64_t chunks = request.segments.value_or(synthesize::best_overlapped_chunks(pairs, bytes, machine));
  Schedule schedule = synthesize::overlapped_schedule_over(pairs.trees, made.problem, chunks);
  check_proof(schedule);
  const double seconds = simulated_seconds(schedule, topology, machine, made.traffic);
  if (seconds >= made.seconds) return;
  pairs.optimum = made.synthesis.optimum;
  made.synthesis = std::move(pairs);
  made.chunks = chunks;
  made.schedule = std::move(schedule);
  made.low_trees = false;
  made.overlapped = true;
  made.seconds = seconds;
}

Made made_for(const SynthesizeRequest& request, const Machine& machine) {
  const Topology& topology = *request.topology;
  Made made{.problem = problem_asked(request)};
  const Problem& problem = made.problem;
  made.traffic = options_of(request.shared);
  made.machine = machine;
  const bool may_adapt = made.traffic.routing == Routing::own && offers_a_choice(topology);
  Stages stages(may_adapt ? 5 : 4);
  stages.begin("packing trees");
  const synthesize::SynthesisRequest wish{.collective = problem.collective,
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
  const double phases = made.by_trees();
  if (!request.segments && topology.ranks() > 1) take_low_trees_if_faster(made, wish, topology, machine);
  made.bound = lower_bound(problem, 1, topology, machine, made.traffic.injection);
  take_overlapped_if_faster(made, phases, request, wish, machine);
  made.adaptive_seconds = may_adapt ? seconds_by(Routing::minimal_adaptive, " with adaptive routing") : made.seconds;
  stages.begin("comparing the catalogue");
  made.best = best_of_catalogue(problem, request.topology, machine, request.shared);
  return made;
}

// "25 trees, 6 parts of what each root has to send, at most 4 edges deep"
std::string trees_in_words(const synthesize::Forest& forest, std::string_view whole) {
  return fmt::format("{}, {} of {}, at most {} deep", counted(static_cast<std::int64_t>(forest.trees.size()), "tree"),
                     counted(forest.each, "part"), whole, counted(forest.depth(), "edge"));
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
      traffic, tutti::text_of(Seconds{made.bound.seconds}), made.bound.name);
}

// Names the times that no schedule is below. The cut that binds an all-reduce lets the message pass once each way,
// which reducing wholly before gathering may not be able to do; and the optimum of a short message is less than its
// starts.
std::string least_in_words(const Made& made, std::size_t width) {
  const std::string seconds = tutti::text_of(Seconds{made.optimum()});
  const std::string each = tutti::text_of(Seconds{made.synthesis.optimum});
  std::string text;
  if (!made.all_reduces())
    text += titled("Optimum", fmt::format("{}, 1/x* = {} a byte: no schedule is faster", seconds, each), width);
  if (!made.is_optimum_least())
    text += titled("Bound",
                   fmt::format("{}: no schedule is faster ({}: {})", tutti::text_of(Seconds{made.bound.seconds}),
                               made.bound.name, made.bound.reason),
                   width);
  if (made.all_reduces())
    text += titled(
        "Phases",
        fmt::format("{}, {} a byte: the least of a reduce-scatter wholly before an all-gather", seconds, each), width);
  return text;
}

std::string text_of(const Made& made, const Topology& topology) {
  constexpr std::size_t width = 9;
  const auto& [up, down] = made.synthesis.trees;
  std::string text = screen_text(fmt::format("{} on {}; every rank uses all of its links at once",
                                             describe(made.problem, Unit::bytes), topology.name()));
  text += least_in_words(made, width);
  const std::string_view whole = made.overlapped ? "the message" : "what each root has to send";
  if (!up.trees.empty()) text += titled("Up", trees_in_words(up, whole), width);
  if (!down.trees.empty()) text += titled("Down", trees_in_words(down, whole), width);
  if (const std::string limits = limits_in_words(made); !limits.empty()) text += titled("Traffic", limits, width);
  if (const std::string words = forwarding_in_words(topology, made.machine); !words.empty())
    text += titled("Forward", words, width);
  const double rounded = made.by_trees() / made.optimum();
  if (made.overlapped)
    text += titled("Overlap",
                   fmt::format("results go down while later chunks come up; the fullest link takes {}",
                               tutti::text_of(Seconds{made.by_trees()})),
                   width);
  else if (made.low_trees)
    text += titled("Low", "a message this short takes longer over the deep trees that fill the links best", width);
  else if (rounded > 1 + 1e-9)
    text += titled("Rounded",
                   fmt::format("shares of links are rounded to so few trees: {:.3f} times the {}; "
                               "--trees N allows more",
                               rounded, made.all_reduces() ? "least of phases" : "optimum"),
                   width);
  const std::string chunks = "synthesized, " + counted(made.chunks, "chunk");
  std::vector<std::pair<std::string, double>> rows{{chunks, made.seconds}};
  if (std::abs(made.adaptive_seconds - made.seconds) > 1e-9 * made.seconds)
    rows.emplace_back("the same by minimal-adaptive routing", made.adaptive_seconds);
  return text + "Proved.\n\n" +
         (made.is_optimum_least() ? table_beside(rows, made.best, made.optimum(), "OPTIMUM")
                                  : table_beside(rows, made.best, made.bound.seconds, "BOUND"));
}

Json json_of(const synthesize::Forest& forest) {
  if (forest.trees.empty()) return nullptr;
  return Json{{"trees", forest.trees.size()}, {"parts_each", forest.each}, {"depth", forest.depth()}};
}

Json json_of(const Made& made, const Topology& topology) {
  Json json = json_asked(made.problem, topology, made.machine, made.bound);
  json.update(Json{{"optimum_seconds", made.all_reduces() ? Json(nullptr) : Json(made.optimum())},
                   {"phases_seconds", made.all_reduces() ? Json(made.optimum()) : Json(nullptr)},
                   {"trees_seconds", made.by_trees()},
                   {"up", json_of(made.synthesis.trees.up)},
                   {"down", json_of(made.synthesis.trees.down)},
                   {"chunks", made.chunks},
                   {"low_trees", made.low_trees},
                   {"overlapped", made.overlapped},
                   {"seconds", made.seconds},
                   {"minimal_adaptive_seconds", made.adaptive_seconds},
                   {"catalogue", json_beside(made.best)},
                   {"traffic", traffic_in_words(made.traffic).empty() ? Json(nullptr) : json_of_traffic(made.traffic)},
                   {"injection_bound_seconds", made.traffic.injection > 0 ? Json(made.bound.seconds) : Json(nullptr)}});
  return json;
}

}  // namespace

SynthesizeAnswer synthesize_trees(const SynthesizeRequest& request, const Machine& machine) {
  Made made = made_for(request, machine);
  std::string text = request.json ? json_of(made, *request.topology).dump(2) + '\n' : text_of(made, *request.topology);
  return {std::move(made.schedule), std::move(text)};
}

}  // namespace tutti::app
