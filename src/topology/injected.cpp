#include "topology/injected.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
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

/// Returns the cost of the link that, beside one of the limit each way, is to make up for links that carry `less` than
/// `more` in its own direction.
LinkCost limit_of(double injection, double less, double more) {
  const double missing = std::isfinite(more) ? std::max(more - less, 0.0) : 0;
  return {.tw = 1 / (1 / injection + missing)};
}

class Repriced final : public Topology {
 public:
  Repriced(TopologyPtr network, std::function<LinkCost(LinkId, const Link&)> cost)
      : network_(std::move(network)), cost_(std::move(cost)) {}

  std::string name() const override { return network_->name(); }
  int ranks() const override { return network_->ranks(); }
  int nodes() const override { return network_->nodes(); }
  LinkId links() const override { return network_->links(); }
  Link link(LinkId id) const override {
    Link link = network_->link(id);
    link.cost = cost_(id, link);
    return link;
  }
  void route(int from, int to, std::vector<LinkId>& path) const override { network_->route(from, to, path); }
  int distance(int from, int to) const override { return network_->distance(from, to); }
  void choices(int at, int to, std::vector<LinkId>& links) const override { network_->choices(at, to, links); }
  bool uniform() const override { return false; }
  bool dedicated() const override { return network_->dedicated(); }
  Forwarding forwarding() const override { return network_->forwarding(); }

 private:
  TopologyPtr network_;
  std::function<LinkCost(LinkId, const Link&)> cost_;
};

// For each node how many links the nearest rank is away: ranks forward, too, and are 0 from themselves.
std::vector<int> heights_of(const Topology& topology) {
  std::vector<int> heights(static_cast<std::size_t>(topology.nodes()), -1);
  std::fill_n(heights.begin(), topology.ranks(), 0);
  // Rounds go on until the highest node has its height.
  for (bool rises = true; rises;) {
    rises = false;
    std::vector<int> next = heights;
    for (LinkId id = 0; id < topology.links(); ++id) {
      const Link link = topology.link(id);
      const int below = heights[static_cast<std::size_t>(link.from)];
      if (below < 0 || heights[static_cast<std::size_t>(link.to)] >= 0) continue;
      next[static_cast<std::size_t>(link.to)] = below + 1;
      rises = true;
    }
    heights = std::move(next);
  }
  return heights;
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

TopologyPtr repriced(TopologyPtr network, std::function<LinkCost(LinkId id, const Link& link)> cost) {
  return std::make_shared<Repriced>(std::move(network), std::move(cost));
}

std::vector<AlikeLinks> classes_of_links(const Topology& topology) {
  const std::vector<int> heights = heights_of(topology);
  std::vector<AlikeLinks> classes;
  for (LinkId id = 0; id < topology.links(); ++id) {
    if (!leads_somewhere(topology, id)) continue;
    const Link link = topology.link(id);
    const auto [nearer, farther] =
        std::minmax(heights[static_cast<std::size_t>(link.from)], heights[static_cast<std::size_t>(link.to)]);
    auto alike = std::find_if(classes.begin(), classes.end(), [&, low = nearer, high = farther](const AlikeLinks& c) {
      return c.nearer == low && c.farther == high && c.cost == link.cost;
    });
    if (alike == classes.end()) alike = classes.insert(classes.end(), {nearer, farther, link.cost, {}});
    alike->links.push_back(id);
  }
  std::stable_sort(classes.begin(), classes.end(), [](const AlikeLinks& a, const AlikeLinks& b) {
    return std::pair(a.nearer, a.farther) < std::pair(b.nearer, b.farther);
  });
  return classes;
}

}  // namespace tutti
