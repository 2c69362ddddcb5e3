/// @file
/// A network by its links alone.
#pragma once

#include <set>

#include "topology/graph.hpp"

namespace tutti::test {

/// The graph of all links that routes between ranks use, of which nothing but these links is known.
inline TopologyPtr spelled_out(const Topology& network) {
  GraphDescription graph{
      .name = network.name(), .ranks = network.ranks(), .switches = network.nodes() - network.ranks()};
  std::set<LinkId> used;
  for (int a = 0; a < network.ranks(); ++a) {
    for (int b = 0; b < network.ranks(); ++b) {
      for (const LinkId id : route_of(network, a, b)) used.insert(id);
    }
  }
  for (const LinkId id : used) graph.links.push_back(network.link(id));
  return graph_topology(graph);
}

}  // namespace tutti::test
