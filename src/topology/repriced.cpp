#include "topology/repriced.hpp"

#include <algorithm>
#include <utility>

namespace tutti {
namespace {

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

 private:
  TopologyPtr network_;
  std::function<LinkCost(LinkId, const Link&)> cost_;
};

// For each node how many links the nearest rank is away: ranks forward, too, and are 0 from themselves.
std::vector<int> heights_of(const Topology& topology) {
  std::vector<int> heights(static_cast<std::size_t>(topology.nodes()), -1);
  std::fill_n(heights.begin(), topology.ranks(), 0);
  // As many rounds as the highest node is high.
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
