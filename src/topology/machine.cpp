#include "topology/machine.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace tutti {

std::string_view name_of(Switching switching) {
  switch (switching) {
    case Switching::store_and_forward:
      return "store-and-forward";
    case Switching::cut_through:
      return "cut-through";
    case Switching::alpha_beta:
      return "alpha-beta";
  }
  return "?";
}

void check(const Machine& machine) {
  const auto fine = [](double seconds, std::string_view name) {
    require(std::isfinite(seconds) && seconds >= 0, "{} is a time of at least 0 seconds, not {}", name, seconds);
  };
  fine(machine.ts, "ts");
  fine(machine.tw, "tw");
  fine(machine.th, "th");
  fine(machine.tc, "tc");
  fine(machine.tr, "tr");
  require(machine.packet >= 0, "a packet has at least 1 byte, not {}", machine.packet);
}

double link_time(const Machine& machine, const LinkCost& cost) { return cost.tw.value_or(machine.tw) / cost.lanes; }

namespace {

// All links alike: the textbook's formulas as they stand.
PathCost uniform_cost(const Machine& machine, std::size_t length, double packet) {
  const auto links = static_cast<double>(length);
  switch (machine.switching) {
    case Switching::store_and_forward:
      if (machine.packet == 0) return {machine.ts, links * machine.tw};
      return {machine.ts + (links - 1) * packet * machine.tw, machine.tw};
    case Switching::cut_through:
      return {machine.ts + links * machine.th, machine.tw};
    case Switching::alpha_beta:
      return {machine.ts, machine.tw};
  }
  return {};
}

}  // namespace

double link_time(const Machine& machine, const Topology& topology, LinkId link) {
  return topology.uniform() ? machine.tw : link_time(machine, topology.link(link).cost);
}

Forwarding forwarding_on(const Machine& machine, const Topology& topology) {
  return machine.forwarding.value_or(topology.forwarding());
}

namespace {

// Returns the seconds that ranks on the way add where they forward: a start each.
double restarts(const Machine& machine, const Topology& topology, std::span<const LinkId> path) {
  if (path.size() < 2 || forwarding_on(machine, topology) == Forwarding::hardware) return 0;
  double time = 0;
  for (const LinkId id : path.subspan(1)) {
    const Link link = topology.link(id);
    if (link.from < topology.ranks()) time += link.cost.ts.value_or(machine.ts);
  }
  return time;
}

}  // namespace

PathCost path_cost(const Machine& machine, const Topology& topology, std::span<const LinkId> path, std::int64_t bytes) {
  if (path.empty()) return {};
  const auto packet = static_cast<double>(std::min(machine.packet, bytes));
  const double more = restarts(machine, topology, path);
  if (topology.uniform()) {
    PathCost cost = uniform_cost(machine, path.size(), packet);
    cost.latency += more;
    return cost;
  }
  PathCost total{.latency = topology.link(path.front()).cost.ts.value_or(machine.ts) + more};
  double ahead = 0;  // seconds in which the header, or the first packet, goes ahead of the rest
  double slowest = 0;
  double sum = 0;
  for (const LinkId link : path) {
    const LinkCost cost = topology.link(link).cost;
    const double each = link_time(machine, cost);
    if (machine.switching == Switching::cut_through) ahead += cost.th.value_or(machine.th);
    slowest = std::max(slowest, each);
    sum += each;
  }
  const bool forwards = machine.switching == Switching::store_and_forward;
  if (forwards && machine.packet > 0) ahead = (sum - slowest) * packet;
  total.latency += ahead;
  total.per_byte = forwards && machine.packet == 0 ? sum : slowest;
  return total;
}

}  // namespace tutti
