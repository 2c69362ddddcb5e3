#include "cost/bounds/links.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "base/integers.hpp"
#include "cost/bounds/volume.hpp"

namespace tutti {
namespace {

constexpr int most_ranks_for_ways = 4096;
constexpr std::int64_t most_steps_for_ways = std::int64_t{1} << 28;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_free(const LinkCost& cost, const Machine& machine) { return link_time(machine, cost) == 0; }

// A link to a node, and whether ways over it are longer by one.
struct WayStep {
  int to = 0;
  bool counts = true;
};

// Returns, for each node, the least number of steps that count on a way from `from`; `out` has each node's steps.
std::vector<int> least_steps_from(int from, const std::vector<std::vector<WayStep>>& out) {
  std::vector<int> least(out.size(), std::numeric_limits<int>::max());
  std::deque<int> queue{from};
  least[static_cast<std::size_t>(from)] = 0;
  while (!queue.empty()) {
    const int at = queue.front();
    queue.pop_front();
    for (const WayStep& step : out[static_cast<std::size_t>(at)]) {
      const int steps = least[static_cast<std::size_t>(at)] + (step.counts ? 1 : 0);
      int& known = least[static_cast<std::size_t>(step.to)];
      if (steps >= known) continue;
      known = steps;
      step.counts ? queue.push_back(step.to) : queue.push_front(step.to);
    }
  }
  return least;
}

// The crossings where some links are free, which the networks' own distances count, too.
double costly_crossings(const Problem& problem, const Topology& topology, const Machine& machine) {
  if (problem.ranks * topology.links() > most_steps_for_ways || problem.ranks > most_ranks_for_ways) return 0;
  std::vector<std::vector<WayStep>> out(static_cast<std::size_t>(topology.nodes()));
  for (LinkId id = 0; id < topology.links(); ++id) {
    const Link link = topology.link(id);
    out[static_cast<std::size_t>(link.from)].push_back({link.to, !is_free(link.cost, machine)});
  }
  int at = -1;
  std::vector<int> least;
  const auto distance = [&](int from, int to) {
    if (from != at) least = least_steps_from(from, out);
    at = from;
    return least[static_cast<std::size_t>(to)];
  };
  return personalized(problem.collective) ? link_crossings(problem, distance) : 0;
}

}  // namespace

PortSpeeds port_speeds(const Topology& topology, const Machine& machine) {
  if (const auto cost = cost_at_ranks(topology))
    return {cost->ts.value_or(machine.ts), link_time(machine, *cost), {}, {}, cost->ts.value_or(machine.ts)};
  const auto ranks = static_cast<std::size_t>(topology.ranks());
  PortSpeeds speeds{infinity, infinity, std::vector<double>(ranks, infinity), std::vector<double>(ranks, infinity)};
  for (LinkId id = 0; id < topology.links(); ++id) {
    const Link link = topology.link(id);
    const double time = link_time(machine, link.cost);
    const auto see = [&](int node, std::vector<double>& fastest) {
      if (node >= topology.ranks()) return;
      double& known = fastest[static_cast<std::size_t>(node)];
      known = std::min(known, time);
      speeds.least_time = std::min(speeds.least_time, time);
    };
    see(link.from, speeds.out);
    see(link.to, speeds.in);
    // A message starts at a rank; switches only pass it on.
    if (link.from >= topology.ranks()) continue;
    const double ts = link.cost.ts.value_or(machine.ts);
    speeds.most_ts = std::max(speeds.most_ts, ts);
    speeds.least_ts = std::min(speeds.least_ts, ts);
  }
  // One rank has no links.
  if (topology.ranks() < 2) return {machine.ts, machine.tw, {}, {}, machine.ts};
  return speeds;
}

double speed_of(const std::vector<LinkClass>& links, const Machine& machine) {
  double speed = 0;
  for (const LinkClass& alike : links) {
    if (is_free(alike.cost, machine)) return infinity;
    speed += alike.count / link_time(machine, alike.cost);
  }
  return speed;
}

namespace {

// Whether something of one rank must reach another.
bool needs(const Problem& problem, int from, int to) {
  switch (problem.collective) {
    case Collective::broadcast:
    case Collective::scatter:
      return from == problem.root;
    case Collective::reduce:
    case Collective::gather:
      return to == problem.root;
    case Collective::scan:
    case Collective::exclusive_scan:
      return from < to;
    case Collective::shift:
      return modulo(from + modulo(problem.distance, problem.ranks), problem.ranks) == to;
    default:
      return true;
  }
}

}  // namespace

int messages_on_longest_way(const Problem& problem, const Topology& topology, const Machine& machine) {
  constexpr std::int64_t most_work = std::int64_t{1} << 22;
  if (forwarding_on(machine, topology) == Forwarding::hardware || topology.dedicated() || !problem.counts.empty() ||
      topology.links() > most_work / topology.ranks())
    return 1;
  std::vector<std::vector<WayStep>> out(static_cast<std::size_t>(topology.nodes()));
  for (LinkId id = 0; id < topology.links(); ++id) {
    if (!leads_somewhere(topology, id)) continue;
    const Link link = topology.link(id);
    out[static_cast<std::size_t>(link.from)].push_back({link.to, link.to < topology.ranks()});
  }
  int most = 1;  // ranks that are entered on a way, from one rank to another
  for (int from = 0; from < topology.ranks(); ++from) {
    const std::vector<int> entered = least_steps_from(from, out);
    for (int to = 0; to < topology.ranks(); ++to) {
      if (needs(problem, from, to)) most = std::max(most, entered[static_cast<std::size_t>(to)]);
    }
  }
  return most;
}

LinkLoads link_loads(const Problem& problem, const Topology& topology, const Machine& machine) {
  std::vector<LinkClass> costly = link_classes(topology);
  const std::size_t all = costly.size();
  std::erase_if(costly, [&](const LinkClass& alike) { return is_free(alike.cost, machine); });
  LinkLoads loads{.speed = speed_of(costly, machine)};
  if (costly.size() < all) {
    loads.crossings = costly_crossings(problem, topology, machine);
  } else if (problem.ranks <= most_ranks_for_ways) {
    loads.crossings = link_crossings(problem, [&](int from, int to) { return topology.distance(from, to); });
  } else {
    loads.crossings = link_crossings(problem, nullptr);
  }
  return loads;
}

}  // namespace tutti
