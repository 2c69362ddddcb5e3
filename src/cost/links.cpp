#include "cost/links.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "cost/volume.hpp"

namespace tutti {
namespace {

constexpr int most_ranks_for_ways = 4096;
constexpr std::int64_t most_steps_for_ways = std::int64_t{1} << 28;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_free(const LinkCost& cost, const Machine& machine) { return link_time(machine, cost) == 0; }

// For each node the least number of links from `from` on which bytes cost something.
std::vector<int> costly_links_from(int from, const Topology& topology, const Machine& machine,
                                   const std::vector<std::vector<Link>>& out) {
  std::vector<int> least(static_cast<std::size_t>(topology.nodes()), std::numeric_limits<int>::max());
  std::deque<int> queue{from};
  least[static_cast<std::size_t>(from)] = 0;
  while (!queue.empty()) {
    const int at = queue.front();
    queue.pop_front();
    for (const Link& link : out[static_cast<std::size_t>(at)]) {
      const bool free = is_free(link.cost, machine);
      const int links = least[static_cast<std::size_t>(at)] + (free ? 0 : 1);
      int& known = least[static_cast<std::size_t>(link.to)];
      if (links >= known) continue;
      known = links;
      free ? queue.push_front(link.to) : queue.push_back(link.to);
    }
  }
  return least;
}

// The crossings where some links are free, which the networks' own distances count, too.
double costly_crossings(const Problem& problem, const Topology& topology, const Machine& machine) {
  if (problem.ranks * topology.links() > most_steps_for_ways || problem.ranks > most_ranks_for_ways) return 0;
  std::vector<std::vector<Link>> out(static_cast<std::size_t>(topology.nodes()));
  for (LinkId id = 0; id < topology.links(); ++id) {
    const Link link = topology.link(id);
    out[static_cast<std::size_t>(link.from)].push_back(link);
  }
  int at = -1;
  std::vector<int> least;
  const auto distance = [&](int from, int to) {
    if (from != at) least = costly_links_from(from, topology, machine, out);
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
