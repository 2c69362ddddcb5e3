#include "topology/nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "base/check.hpp"
#include "topology/graph.hpp"

namespace tutti {

TopologyPtr nodes_topology(std::span<const int> ranks_on) {
  require(!ranks_on.empty(), "a network of nodes needs at least one node");
  for (const int ranks : ranks_on) require(ranks >= 1, "a node has at least one rank, not {}", ranks);
  const auto nodes = static_cast<int>(ranks_on.size());
  GraphDescription graph{.name = fmt::format("nodes:{}", fmt::join(ranks_on, "+")),
                         .ranks = std::accumulate(ranks_on.begin(), ranks_on.end(), 0),
                         .switches = nodes == 1 ? 1 : nodes + 1};
  int rank = 0;
  for (int node = 0; node < nodes; ++node) {
    for (const int end = rank + ranks_on[static_cast<std::size_t>(node)]; rank < end; ++rank)
      add_cable(graph, rank, graph.ranks + node);
  }
  for (int node = 0; node < nodes && nodes > 1; ++node) add_cable(graph, graph.ranks + node, graph.ranks + nodes);
  return graph_topology(std::move(graph));
}

}  // namespace tutti
