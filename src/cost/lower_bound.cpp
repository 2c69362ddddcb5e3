#include "cost/lower_bound.hpp"

#include <algorithm>
#include <limits>

#include "base/integers.hpp"
#include "cost/flow_cuts.hpp"
#include "cost/links.hpp"
#include "cost/volume.hpp"

namespace tutti {
namespace {

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
  lines_.push_back({{ports.least_ts * (one_port ? rounds : 1), "rounds",
                     "ranks that have heard of one another at most double in a message's time", chan}});
  if (one_port) {
    lines_.push_back({{ports.least_ts, "bandwidth", "one rank must pass this much through its port", chan},
                      port_time(unit, ports, bytes)});
  }
  if (injection > 0) {
    const PortSpeeds limit{.least_ts = ports.least_ts, .least_time = injection};
    lines_.push_back({{ports.least_ts, "injection", "a rank sends and gets no more than its limit of injection allows"},
                      port_time(unit, limit, bytes)});
  }
  const LinkLoads loads = link_loads(unit, topology, machine);
  if (loads.speed > 0 && loads.speed < std::numeric_limits<double>::infinity()) {
    lines_.push_back({{0, "link-load", "all links together carry every element over its way", grama_load},
                      bytes * loads.crossings / loads.speed});
  }
  add_cuts(unit, topology, machine, bytes);
}

void LowerBounds::add_cuts(const Problem& unit, const Topology& topology, const Machine& machine, double bytes) {
  Line cut{{0, "cut", "some of the ranks must tell the others this much over the links between them", grama_cut}};
  Line half{{0, "bisection", "one half of the ranks must tell the other this much", grama_cut}};
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
