#include "topology/injected.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "topology/graph.hpp"

namespace tutti {
namespace {

/// Bytes a second over all links of a rank.
struct AtRank {
  double out = 0;
  double in = 0;
};

std::vector<AtRank> speeds_at_ranks(const GraphDescription& graph, const Machine& machine) {
  std::vector<AtRank> speeds(static_cast<std::size_t>(graph.ranks + graph.switches));
  for (const Link& link : graph.links) {
    const double speed = 1 / link_time(machine, link.cost);
    speeds[static_cast<std::size_t>(link.from)].out += speed;
    speeds[static_cast<std::size_t>(link.to)].in += speed;
  }
  speeds.resize(static_cast<std::size_t>(graph.ranks));
  return speeds;
}

/// What the link has to carry that, beside one of the limit each way, is to make up for links that carry `less` than
/// `more` in its own direction.
LinkCost limit_of(double injection, double less, double more) {
  const double missing = std::isfinite(more) ? std::max(more - less, 0.0) : 0;
  return {.tw = 1 / (1 / injection + missing)};
}

}  // namespace

TopologyPtr with_injection(const Topology& topology, const Machine& machine, double injection) {
  constexpr double alike = 1e-9;
  GraphDescription graph = graph_of(topology);
  const std::vector<AtRank> speeds = speeds_at_ranks(graph, machine);
  std::vector<int> links_at(static_cast<std::size_t>(topology.nodes()));  // by node: where its links begin and end
  std::iota(links_at.begin(), links_at.end(), 0);
  std::vector<Link> limits;
  for (int rank = 0; rank < graph.ranks; ++rank) {
    const AtRank& at = speeds[static_cast<std::size_t>(rank)];
    if (std::max(at.out, at.in) * injection <= 1 + alike) continue;
    const int outside = graph.ranks + graph.switches++;
    links_at[static_cast<std::size_t>(rank)] = outside;
    limits.push_back({rank, outside, limit_of(injection, at.in, at.out)});
    limits.push_back({outside, rank, limit_of(injection, at.out, at.in)});
  }
  for (Link& link : graph.links) {
    link.from = links_at[static_cast<std::size_t>(link.from)];
    link.to = links_at[static_cast<std::size_t>(link.to)];
  }
  graph.links.insert(graph.links.end(), limits.begin(), limits.end());
  return graph_topology(std::move(graph));
}

}  // namespace tutti
