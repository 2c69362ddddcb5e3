#include "topology/graph_description.hpp"

#include <map>
#include <utility>

namespace tutti {

GraphDescription graph_of(const Topology& topology) {
  std::map<std::pair<int, int>, LinkCost> costs;
  for (LinkId id = 0; id < topology.links(); ++id) {
    if (!leads_somewhere(topology, id)) continue;
    const Link link = topology.link(id);
    costs.emplace(std::pair(link.from, link.to), link.cost);
  }
  GraphDescription graph{
      .name = topology.name(), .ranks = topology.ranks(), .switches = topology.nodes() - topology.ranks()};
  graph.forwarding = topology.forwarding();
  for (const auto& [ends, cost] : costs) graph.links.push_back({ends.first, ends.second, cost});
  return graph;
}

void add_cable(GraphDescription& graph, int a, int b, const LinkCost& cost) {
  graph.links.push_back({a, b, cost});
  graph.links.push_back({b, a, cost});
}

}  // namespace tutti
