#include "synthesize/pairs/pair_synthesis.hpp"

#include <algorithm>

namespace tutti::synthesize {

double Hops::longest(const RoutedHop& hop) const {
  double time = 0;
  for (const int link : hop.takes) time = std::max(time, times[static_cast<std::size_t>(link)]);
  return time;
}

Hops hops_on(const Topology& topology, const Machine& machine, double injection, bool turned) {
  Hops found{.ranks = topology.ranks(), .times = {}, .hops = {}};
  for (LinkId id = 0; id < topology.links(); ++id) found.times.push_back(link_time(machine, topology, id));
  const auto limits = static_cast<int>(found.times.size());
  if (injection > 0) found.times.resize(found.times.size() + 2 * static_cast<std::size_t>(found.ranks), injection);
  const bool stops = forwarding_on(machine, topology) == Forwarding::ranks;
  std::vector<LinkId> path;
  for (int a = 0; a < found.ranks; ++a) {
    for (int b = 0; b < found.ranks; ++b) {
      if (a == b) continue;
      const auto [sender, receiver] = turned ? std::pair(b, a) : std::pair(a, b);
      path.clear();
      topology.route(sender, receiver, path);
      const auto ends_at_rank = [&](LinkId id) { return topology.link(id).to < found.ranks; };
      if (stops && std::any_of(path.begin(), path.end() - 1, ends_at_rank)) continue;
      RoutedHop hop{.from = a, .to = b, .takes = {}};
      for (const LinkId id : path) hop.takes.push_back(static_cast<int>(id));
      if (injection > 0) {
        hop.takes.push_back(limits + 2 * sender);
        hop.takes.push_back(limits + 2 * receiver + 1);
      }
      found.hops.push_back(std::move(hop));
    }
  }
  return found;
}

}  // namespace tutti::synthesize
