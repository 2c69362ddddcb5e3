#include "cost/bounds/lower_bound.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "base/integers.hpp"
#include "cost/bounds/links.hpp"
#include "cost/bounds/volume.hpp"
#include "topology/cuts/cut.hpp"
#include "topology/cuts/narrowest.hpp"

namespace tutti {
namespace {

// The ranks for which `inside` says `which`, and the links that lead away from them.
Cut cut_of(const std::vector<char>& inside, bool which, const Topology& topology) {
  const auto nodes = std::make_shared<const std::vector<char>>(inside);
  Cut cut;
  cut.inside = [nodes, which](int rank) { return ((*nodes)[static_cast<std::size_t>(rank)] != 0) == which; };
  for (int rank = 0; rank < topology.ranks(); ++rank) cut.size += cut.inside(rank) ? 1 : 0;
  for (LinkId id = 0; id < topology.links(); ++id) {
    const Link link = topology.link(id);
    if (cut.inside(link.from) && !cut.inside(link.to) && leads_somewhere(topology, id))
      add_links(cut.links, link.cost, 1);
  }
  return cut;
}

bool is_asked(const Problem& problem, const Topology& topology) {
  // Most ranks of graphs that name the cut around each set (topology/cuts/graph_cuts.hpp).
  constexpr int few_ranks = 8;
  constexpr std::int64_t most_work = std::int64_t{1} << 16;
  return topology.ranks() > few_ranks && topology.links() <= most_work / topology.ranks() &&
         topology.nodes() <= most_nodes_with_capacities && problem.counts.empty() && problem.extra == 0;
}

bool costs_something(const Topology& topology, const Machine& machine) {
  for (LinkId id = 0; id < topology.links(); ++id) {
    if (leads_somewhere(topology, id) && link_time(machine, topology, id) > 0) return true;
  }
  return false;
}

/// The cuts over which the problem's data takes longest, whichever part of the ranks they cut off: of what goes to all
/// ranks (broadcast, all-gather, all-reduce), and of what comes from all (reduce, reduce-scatter, all-reduce). None for
/// other collectives, for blocks that differ, for few ranks, all of whose sets a graph names itself, and for networks
/// of more than 2^16 links times ranks. Cost: some flows a rank.
/// Source: J. Edmonds, Edge-disjoint branchings, 1973: one rank's data can be told to all as fast as the narrowest
/// cut lets it pass; for all ranks' L. Zhao et al., ForestColl, 2024.
std::vector<Cut> narrowest_cuts(const Problem& problem, const Topology& topology, const Machine& machine) {
  const Collective collective = problem.collective;
  const bool whole = collective == Collective::all_reduce;
  const bool tells = collective == Collective::broadcast || collective == Collective::all_gather || whole;
  const bool hears = collective == Collective::reduce || collective == Collective::reduce_scatter || whole;
  std::vector<Cut> cuts;
  if (!(tells || hears) || !is_asked(problem, topology) || !costs_something(topology, machine)) return cuts;
  // Every cut lets the whole of an all-reduce pass: those around rank 0 and those that leave it out.
  const bool one = has_root(collective) || whole;
  Supplies supplies(static_cast<std::size_t>(topology.ranks()), one ? 0 : 1);
  if (one) supplies[static_cast<std::size_t>(whole ? 0 : problem.root)] = 1;
  const Capacities capacities = capacities_of(topology, machine).capacities;
  if (tells) cuts.push_back(cut_of(narrowest_cut(capacities, supplies).inside, true, topology));
  if (hears) cuts.push_back(cut_of(narrowest_cut(capacities.reversed(), supplies).inside, false, topology));
  return cuts;
}

constexpr std::string_view chan =
    "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007";
constexpr std::string_view grama_load =
    "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5";
constexpr std::string_view grama_cut =
    "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §2.4.4";

// Seconds an element in which the rank that has most to pass through its port does so. Ports are as fast as the
// fastest link: its own, where links differ, for what each rank must send and receive.
double port_time(const Problem& problem, const PortSpeeds& ports, double bytes) {
  double time = port_volume(problem) * bytes * ports.least_time;
  const int ranks = static_cast<int>(ports.out.size());
  double speeds = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const auto single = [rank](int other) { return other == rank; };
    const auto others = [rank](int other) { return other != rank; };
    time = std::max(time, volume_across(problem, 1, single) * bytes * ports.out[at]);
    time = std::max(time, volume_across(problem, problem.ranks - 1, others) * bytes * ports.in[at]);
    speeds += ports.in[at] > 0 ? 1 / ports.in[at] : std::numeric_limits<double>::infinity();
  }
  // All ranks together: the ports take in what all must.
  if (ranks > 0 && problem.collective == Collective::all_reduce)
    time = std::max(time, port_volume(problem) * problem.ranks * bytes / speeds);
  return time;
}

bool is_half(const Cut& cut, int ranks) { return 2 * cut.size >= ranks - 1 && 2 * cut.size <= ranks + 1; }

}  // namespace

LowerBounds::LowerBounds(const Problem& shape, std::int64_t element_bytes, const Topology& topology,
                         const Machine& machine, double injection)
    : shape_(shape), any_count_(shape.counts.empty() && shape.extra == 0) {
  Problem unit = shape;
  if (any_count_ && shape.collective != Collective::barrier) unit.count = 1;
  const int rounds = rounds_needed(unit);
  if (rounds == 0) return;
  const auto bytes = static_cast<double>(element_bytes);
  const bool one_port = machine.ports == Ports::single;
  const PortSpeeds ports = port_speeds(topology, machine);
  const int heard = one_port ? rounds : 1;
  const int passed = messages_on_longest_way(unit, topology, machine);
  if (passed > heard) {
    lines_.push_back({{ports.least_ts * passed, "rounds",
                       "ranks forward messages, and the two farthest ranks are this many messages apart"}});
  } else {
    lines_.push_back({{ports.least_ts * heard, "rounds",
                       "in the time of a message, data can at most double the ranks that it has reached", chan}});
  }
  if (one_port) {
    lines_.push_back({{ports.least_ts, "bandwidth", "one rank must pass this much through its port", chan},
                      port_time(unit, ports, bytes)});
  }
  if (injection > 0) {
    const PortSpeeds limit{.least_ts = ports.least_ts, .least_time = injection};
    lines_.push_back(
        {{ports.least_ts, "injection", "a rank sends and receives no more than its injection limit allows"},
         port_time(unit, limit, bytes)});
  }
  const LinkLoads loads = link_loads(unit, topology, machine);
  if (loads.speed > 0 && loads.speed < std::numeric_limits<double>::infinity()) {
    lines_.push_back({{0, "link-load", "the links together carry each element along its route", grama_load},
                      bytes * loads.crossings / loads.speed});
  }
  add_cuts(unit, topology, machine, bytes);
}

void LowerBounds::add_cuts(const Problem& unit, const Topology& topology, const Machine& machine, double bytes) {
  Line cut{{0, "cut", "a group of ranks must send the others this much over the links between them", grama_cut}};
  Line half{{0, "bisection", "one half of the ranks must send the other half this much", grama_cut}};
  const int anchor = has_root(unit.collective) ? unit.root : 0;
  std::vector<Cut> candidates = cuts(topology, anchor);
  for (Cut& narrow : narrowest_cuts(unit, topology, machine)) candidates.push_back(std::move(narrow));
  for (const Cut& candidate : candidates) {
    const double speed = speed_of(candidate.links, machine);
    if (!(speed < std::numeric_limits<double>::infinity())) continue;
    const double volume = volume_across(unit, candidate.size, candidate.inside);
    // Nothing that must go somewhere has no way: every rank reaches every other.
    if (speed <= 0 || volume <= 0) continue;
    double& each = is_half(candidate, unit.ranks) ? half.each : cut.each;
    each = std::max(each, bytes * volume / speed);
  }
  if (half.each > 0) lines_.push_back(half);
  if (cut.each > half.each) lines_.push_back(cut);
}

std::vector<LowerBound> LowerBounds::all(std::int64_t count) const {
  const bool barrier = shape_.collective == Collective::barrier;
  std::vector<LowerBound> bounds;
  if (any_count_ && count == 0 && !barrier) return bounds;
  const double times = any_count_ ? static_cast<double>(count) : 1;
  for (const Line& line : lines_) {
    bounds.push_back(line.bound);
    bounds.back().seconds += line.each * times;
  }
  return bounds;
}

LowerBound LowerBounds::greatest(std::int64_t count) const {
  const std::vector<LowerBound> bounds = all(count);
  const auto greatest = std::max_element(
      bounds.begin(), bounds.end(), [](const LowerBound& a, const LowerBound& b) { return a.seconds < b.seconds; });
  return greatest == bounds.end() ? LowerBound{} : *greatest;
}

std::vector<LowerBound> lower_bounds(const Problem& problem, std::int64_t element_bytes, const Topology& topology,
                                     const Machine& machine, double injection) {
  return LowerBounds(problem, element_bytes, topology, machine, injection).all(problem.count);
}

LowerBound lower_bound(const Problem& problem, std::int64_t element_bytes, const Topology& topology,
                       const Machine& machine, double injection) {
  return LowerBounds(problem, element_bytes, topology, machine, injection).greatest(problem.count);
}

}  // namespace tutti
