#include "cost/lower_bound.hpp"

#include <algorithm>

#include "base/integers.hpp"
#include "cost/volume.hpp"

namespace tutti {
namespace {

constexpr int most_ranks_for_ways = 4096;

// The least that a message, and a byte on one lane, cost anywhere; and all lanes together.
struct Cheapest {
  double ts = 0;
  double lane_tw = 0;
  double link_tw = 0;
  double lanes = 0;
};

Cheapest cheapest(const Topology& topology, const Machine& machine) {
  Cheapest least{
      .ts = machine.ts, .lane_tw = machine.tw, .link_tw = machine.tw, .lanes = static_cast<double>(topology.links())};
  if (topology.uniform()) return least;
  least.lanes = 0;
  for (LinkId id = 0; id < topology.links(); ++id) {
    const LinkCost cost = topology.link(id).cost;
    if (cost.ts) least.ts = std::min(least.ts, *cost.ts);
    if (cost.tw) least.lane_tw = std::min(least.lane_tw, *cost.tw);
    least.link_tw = std::min(least.link_tw, link_time(machine, topology, id));
    least.lanes += cost.lanes;
  }
  return least;
}

double ways(const Problem& problem, const Topology& topology) {
  return problem.ranks <= most_ranks_for_ways
             ? link_crossings(problem, [&](int from, int to) { return topology.distance(from, to); })
             : link_crossings(problem, nullptr);
}

}  // namespace

std::vector<LowerBound> lower_bounds(const Problem& problem, std::int64_t element_bytes, const Topology& topology,
                                     const Machine& machine) {
  std::vector<LowerBound> bounds;
  const int rounds = rounds_needed(problem);
  if (rounds == 0) return bounds;
  const Cheapest least = cheapest(topology, machine);
  const auto bytes = static_cast<double>(element_bytes);
  const bool one_port = machine.ports == Ports::single;
  bounds.push_back({least.ts * (one_port ? rounds : 1), "rounds",
                    "ranks that have heard of one another at most double in a message's time",
                    "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007"});
  if (one_port) {
    bounds.push_back({least.ts + least.link_tw * bytes * port_volume(problem), "bandwidth",
                      "one rank must pass this much through its port",
                      "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007"});
  }
  if (least.lanes > 0) {
    bounds.push_back(
        {least.lane_tw * bytes * ways(problem, topology) / least.lanes, "link-load",
         "all links together carry every element over its way",
         "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5"});
  }
  if (const auto cut = topology.bisection(); cut && *cut > 0) {
    bounds.push_back(
        {least.lane_tw * bytes * bisection_volume(problem) / *cut, "bisection",
         "one half of the ranks must tell the other this much",
         "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §2.4.4"});
  }
  return bounds;
}

LowerBound lower_bound(const Problem& problem, std::int64_t element_bytes, const Topology& topology,
                       const Machine& machine) {
  const std::vector<LowerBound> bounds = lower_bounds(problem, element_bytes, topology, machine);
  const auto greatest = std::max_element(
      bounds.begin(), bounds.end(), [](const LowerBound& a, const LowerBound& b) { return a.seconds < b.seconds; });
  return greatest == bounds.end() ? LowerBound{} : *greatest;
}

}  // namespace tutti
