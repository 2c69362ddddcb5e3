#include "synthesize/trees/arborescence.hpp"

#include <cstddef>
#include <limits>
#include <utility>

namespace tutti::synthesize {
namespace {

std::size_t edge_at(int nodes, int from, int to) {
  return static_cast<std::size_t>(from) * static_cast<std::size_t>(nodes) + static_cast<std::size_t>(to);
}

// Returns for each node but the root the other node from which an edge to it weighs least.
std::vector<int> least_parents(int nodes, int root, const std::vector<double>& weights) {
  std::vector<int> parents(static_cast<std::size_t>(nodes), -1);
  for (int to = 0; to < nodes; ++to) {
    int& best = parents[static_cast<std::size_t>(to)];
    for (int from = 0; from < nodes && to != root; ++from) {
      if (from != to && (best < 0 || weights[edge_at(nodes, from, to)] < weights[edge_at(nodes, best, to)]))
        best = from;
    }
  }
  return parents;
}

/// Nodes in groups: each circle that parents lead round in is one, and every other node by itself.
struct Groups {
  int count = 0;
  std::vector<int> of;          // by node
  std::vector<char> in_circle;  // by node
};

Groups groups_of(const std::vector<int>& parents) {
  Groups groups{.count = 0, .of = std::vector<int>(parents.size(), -1), .in_circle = std::vector<char>(parents.size())};
  std::vector<int> seen(parents.size(), -1);
  const auto next = [&](int node) { return parents[static_cast<std::size_t>(node)]; };
  for (int start = 0; start < static_cast<int>(parents.size()); ++start) {
    int node = start;
    for (; node >= 0 && seen[static_cast<std::size_t>(node)] < 0; node = next(node))
      seen[static_cast<std::size_t>(node)] = start;
    if (node < 0 || seen[static_cast<std::size_t>(node)] != start || groups.of[static_cast<std::size_t>(node)] >= 0)
      continue;
    for (int member = node; groups.of[static_cast<std::size_t>(member)] < 0; member = next(member)) {
      groups.of[static_cast<std::size_t>(member)] = groups.count;
      groups.in_circle[static_cast<std::size_t>(member)] = 1;
    }
    ++groups.count;
  }
  for (int& group : groups.of) {
    if (group < 0) group = groups.count++;
  }
  return groups;
}

}  // namespace

std::vector<int> least_arborescence(int nodes, int root, const std::vector<double>& weights) {
  std::vector<int> parents = least_parents(nodes, root, weights);
  const Groups groups = groups_of(parents);
  if (groups.count == nodes) return parents;
  // Between groups the edge that adds least: one into a circle replaces that to the node where it ends.
  const auto n = static_cast<std::size_t>(groups.count);
  std::vector<double> between(n * n, std::numeric_limits<double>::max());
  std::vector<std::pair<int, int>> edges(n * n);
  for (int to = 0; to < nodes; ++to) {
    const auto end = static_cast<std::size_t>(to);
    const double replaced = groups.in_circle[end] ? weights[edge_at(nodes, parents[end], to)] : 0;
    for (int from = 0; from < nodes; ++from) {
      const std::size_t edge = edge_at(groups.count, groups.of[static_cast<std::size_t>(from)], groups.of[end]);
      const double adds = weights[edge_at(nodes, from, to)] - replaced;
      if (adds >= between[edge]) continue;
      between[edge] = adds;
      edges[edge] = {from, to};
    }
  }
  const std::vector<int> tree = least_arborescence(groups.count, groups.of[static_cast<std::size_t>(root)], between);
  for (int group = 0; group < groups.count; ++group) {
    if (tree[static_cast<std::size_t>(group)] < 0) continue;
    const auto [from, to] = edges[edge_at(groups.count, tree[static_cast<std::size_t>(group)], group)];
    parents[static_cast<std::size_t>(to)] = from;
  }
  return parents;
}

}  // namespace tutti::synthesize
