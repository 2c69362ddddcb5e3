#include "pricing/way_choices.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "pricing/probed_runs.hpp"

namespace tutti {
namespace {

constexpr std::size_t most_choices = 1024;
constexpr int most_links = 24;  // longer ways are too many to list
constexpr int looks_for_a_choice = 3;
constexpr int checks_of_a_choice = 4;

using Pair = std::pair<int, int>;

std::set<Pair> pairs_of(const Schedule& schedule) {
  std::set<Pair> pairs;
  for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
    for (const Op& op : schedule.programs[rank].ops) {
      if (op.kind == OpKind::send) pairs.emplace(static_cast<int>(rank), op.peer);
    }
  }
  return pairs;
}

/// The shortest ways of a pair of ranks.
struct PairWays {
  Pair pair;
  std::vector<LinkPath> ways;
};

// Empty where there is no choice, or too many.
std::vector<PairWays> choices_of(const Schedule& schedule, const Topology& topology) {
  std::vector<PairWays> all;
  std::size_t choices = 1;
  for (const Pair& pair : pairs_of(schedule)) {
    if (topology.distance(pair.first, pair.second) > most_links) return {};
    all.push_back({pair, shortest_ways(topology, pair.first, pair.second)});
    choices *= std::max<std::size_t>(1, all.back().ways.size());
    if (choices > most_choices) return {};
  }
  if (choices == 1) return {};
  return all;
}

std::optional<LinkId> shared_link(const std::vector<Detour>& detours) {
  std::set<LinkId> seen;
  for (const Detour& detour : detours) {
    for (const LinkId link : detour.way) {
      if (!seen.insert(link).second) return link;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<WayOutcome> outcomes_by_way(const Schedule& schedule, const TopologyPtr& topology, const Machine& machine,
                                        const SimulationOptions& options) {
  const std::vector<PairWays> pairs = choices_of(schedule, *topology);
  std::vector<WayOutcome> outcomes;
  if (pairs.empty()) return outcomes;
  std::vector<std::size_t> chosen(pairs.size());
  double m = 1;
  for (bool more = true; more;) {
    std::vector<Detour> detours;
    for (std::size_t k = 0; k < pairs.size(); ++k)
      detours.push_back({pairs[k].pair.first, pairs[k].pair.second, pairs[k].ways[chosen[k]]});
    const TopologyPtr network = rerouted(topology, detours);
    const ProbedRun run = probed_run(schedule, network, machine, options);
    m = run.m;
    TimeCases cases = time_cases(run, {.looks = looks_for_a_choice, .checks = checks_of_a_choice});
    const auto same = std::find_if(outcomes.begin(), outcomes.end(), [&](const WayOutcome& outcome) {
      return outcome.cases.times == cases.times && outcome.cases.elsewhere == cases.elsewhere;
    });
    if (same != outcomes.end()) {
      ++same->choices;
    } else {
      Workload workload(schedule, 1);
      const int most_shared = simulate(workload, *network, machine, options).most_shared;
      outcomes.push_back({std::move(cases), 1, detours, most_shared, shared_link(detours)});
    }
    more = false;
    for (std::size_t k = 0; k < pairs.size() && !more; ++k) {
      more = ++chosen[k] < pairs[k].ways.size();
      if (!more) chosen[k] = 0;
    }
  }
  std::erase_if(outcomes, [](const WayOutcome& outcome) { return outcome.cases.times.empty(); });
  std::stable_sort(outcomes.begin(), outcomes.end(), [&](const WayOutcome& a, const WayOutcome& b) {
    return seconds(a.cases, machine, m) < seconds(b.cases, machine, m);
  });
  return outcomes;
}

}  // namespace tutti
