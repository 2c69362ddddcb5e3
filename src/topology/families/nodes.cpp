#include "topology/families/nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "base/check.hpp"
#include "topology/graph.hpp"

namespace tutti {

namespace {

/// 3+5+1, or 16x8 where all nodes are alike.
std::string name_of(std::span<const int> ranks_on) {
  const bool are_alike = std::equal(ranks_on.begin() + 1, ranks_on.end(), ranks_on.begin());
  if (are_alike && ranks_on.size() > 1) return fmt::format("nodes:{}x{}", ranks_on.size(), ranks_on.front());
  return fmt::format("nodes:{}", fmt::join(ranks_on, "+"));
}

// Ranks and no links yet.
GraphDescription description_of(std::span<const int> ranks_on) {
  require(!ranks_on.empty(), "a network of nodes needs at least one node");
  for (const int ranks : ranks_on) require(ranks >= 1, "a node has at least one rank, not {}", ranks);
  const std::string name = name_of(ranks_on);
  const std::int64_t ranks = std::accumulate(ranks_on.begin(), ranks_on.end(), std::int64_t{0});
  check_table(name, ranks, ranks + 1);
  return {.name = name, .ranks = static_cast<int>(ranks)};
}

// A cable from each rank to a switch of its node: those of the nodes are numbered from `first_switch` on.
void join_ranks(GraphDescription& graph, std::span<const int> ranks_on, int first_switch, const LinkCost& cost) {
  int rank = 0;
  int hub = first_switch;
  for (const int ranks : ranks_on) {
    for (const int end = rank + ranks; rank < end; ++rank) add_cable(graph, rank, hub, cost);
    ++hub;
  }
}

// A cable from each node's switch to the one between, which follows them.
void join_nodes(GraphDescription& graph, int nodes, int first_switch, const LinkCost& cost) {
  for (int node = 0; node < nodes; ++node) add_cable(graph, first_switch + node, first_switch + nodes, cost);
}

}  // namespace

TopologyPtr nodes_topology(std::span<const int> ranks_on) {
  GraphDescription graph = description_of(ranks_on);
  const auto nodes = static_cast<int>(ranks_on.size());
  graph.switches = nodes == 1 ? 1 : nodes + 1;
  join_ranks(graph, ranks_on, graph.ranks, {});
  if (nodes > 1) join_nodes(graph, nodes, graph.ranks, {});
  return graph_topology(std::move(graph));
}

TopologyPtr nodes_topology(std::span<const int> ranks_on, const NodeLinks& links) {
  GraphDescription graph = description_of(ranks_on);
  const auto nodes = static_cast<int>(ranks_on.size());
  graph.switches = nodes == 1 ? 1 : 2 * nodes + 1;
  // First, so that of two ways of the same length the one inside is taken.
  join_ranks(graph, ranks_on, graph.ranks, links.inside);
  if (nodes > 1) {
    join_ranks(graph, ranks_on, graph.ranks + nodes, links.between);
    join_nodes(graph, nodes, graph.ranks + nodes, links.between);
  }
  return graph_topology(std::move(graph));
}

}  // namespace tutti
