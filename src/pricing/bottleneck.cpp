#include "pricing/bottleneck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/check.hpp"
#include "topology/injected.hpp"
#include "topology/metrics.hpp"

namespace tutti {
namespace {

constexpr std::int64_t most_messages = std::int64_t{1} << 22;

/// Simulation that is run again and again, with other costs.
struct RepeatedRun {
  const Choice& choice;
  const Problem& problem;
  const Layout& layout;
  SimulationOptions options;

  Simulation of(const Topology& topology, const Machine& machine) const {
    Workload workload(choice, problem, 1, layout);
    return simulate(workload, topology, machine, options);
  }
};

// A link's own times divided, too.
TopologyPtr with_less(const TopologyPtr& topology, std::optional<double> LinkCost::*time) {
  if (topology->uniform()) return topology;
  return repriced(topology, [time](LinkId, const Link& link) {
    LinkCost cost = link.cost;
    if (cost.*time) cost.*time = *(cost.*time) / 2;
    return cost;
  });
}

std::vector<HalvedCost> halved_costs(const RepeatedRun& runs, const TopologyPtr& topology, const Machine& machine) {
  struct Kind {
    std::string_view name;
    double Machine::*of_machine;
    std::optional<double> LinkCost::*of_links;
  };
  static constexpr Kind kinds[] = {{"ts", &Machine::ts, &LinkCost::ts},
                                   {"tw", &Machine::tw, &LinkCost::tw},
                                   {"th", &Machine::th, &LinkCost::th},
                                   {"tc", &Machine::tc, nullptr}};
  std::vector<HalvedCost> halved;
  for (const Kind& kind : kinds) {
    if (machine.*kind.of_machine == 0) continue;
    Machine cheaper = machine;
    cheaper.*kind.of_machine /= 2;
    const TopologyPtr there = kind.of_links == nullptr ? topology : with_less(topology, kind.of_links);
    halved.push_back({std::string(kind.name), runs.of(*there, cheaper).seconds});
  }
  return halved;
}

std::string place_of(const AlikeLinks& links) {
  if (links.farther == 0) return "between ranks";
  if (links.nearer == 0) return "ranks and switches";
  return links.nearer == links.farther ? fmt::format("switches of level {}", links.nearer)
                                       : fmt::format("switches, level {} and {}", links.nearer, links.farther);
}

LinksInUse use_of(const AlikeLinks& links, const std::unordered_map<LinkId, std::int64_t>& loads,
                  const Machine& machine) {
  LinksInUse use{.where = place_of(links), .cost = links.cost, .links = links.links.size(), .busiest = {}};
  for (const LinkId link : links.links) {
    const auto carried = loads.find(link);
    if (carried != loads.end() && carried->second > use.busiest.bytes) use.busiest = {link, carried->second};
  }
  use.busy = static_cast<double>(use.busiest.bytes) * link_time(machine, links.cost);
  return use;
}

TopologyPtr with_faster(const TopologyPtr& topology, const AlikeLinks& links) {
  const auto faster = [&links](LinkId id, const Link& link) {
    LinkCost cost = link.cost;
    if (std::binary_search(links.links.begin(), links.links.end(), id)) cost.lanes *= 2;
    return cost;
  };
  return repriced(topology, faster);
}

}  // namespace

Bottlenecks bottlenecks(const Choice& choice, const Problem& problem, const TopologyPtr& topology,
                        const Machine& machine, const Layout& layout, const SimulationOptions& options) {
  require(topology->links() <= most_links_looked_at,
          "{} has {} links, more than can be told apart; leave --bottleneck out", topology->name(), topology->links());
  const std::vector<AlikeLinks> classes = classes_of_links(*topology);
  const auto runs_needed = static_cast<std::int64_t>(classes.size()) + 5;
  const std::int64_t messages = recorded_size(choice, problem, layout).effort();
  require(messages <= most_messages / runs_needed,
          "{} simulations of {} messages take too long; ask for fewer ranks, or leave --bottleneck out", runs_needed,
          messages);
  RepeatedRun runs{choice, problem, layout, options};
  runs.options.timeline = true;
  const Simulation plain = runs.of(*topology, machine);
  runs.options.timeline = false;
  std::unordered_map<LinkId, std::int64_t> loads;
  for (const LinkLoad& load : plain.loads) loads[load.link] = load.bytes;
  Bottlenecks found{.seconds = plain.seconds, .links = {}, .costs = {}};
  for (const AlikeLinks& links : classes) {
    LinksInUse use = use_of(links, loads, machine);
    use.with_faster = use.busiest.bytes > 0 ? runs.of(*with_faster(topology, links), machine).seconds : plain.seconds;
    found.links.push_back(std::move(use));
  }
  std::stable_sort(found.links.begin(), found.links.end(),
                   [](const LinksInUse& a, const LinksInUse& b) { return a.with_faster < b.with_faster; });
  found.costs = halved_costs(runs, topology, machine);
  return found;
}

}  // namespace tutti
