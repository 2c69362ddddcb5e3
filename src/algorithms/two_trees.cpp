#include "algorithms/two_trees.hpp"

#include "base/integers.hpp"

namespace tutti::algorithms {

TwoTrees::TwoTrees(int ranks)
    : nodes_((ranks - 1) / 2 * 2),
      head_(ranks % 2 == 0 ? ranks - 1 : 0),
      top_(nodes_ > 0 ? floor_power_of_two(nodes_) : 0) {}

int TwoTrees::parent(int node) const {
  const int low = node & -node;
  const int above = node - low;
  const int next = above | 2 * low;
  return next <= nodes_ ? next : above;
}

std::vector<int> TwoTrees::children(int node) const {
  std::vector<int> found;
  const int half = (node & -node) / 2;
  if (half > 0) found.push_back(node - half);
  for (int step = half; step > 0; step /= 2) {
    if (node + step > nodes_) continue;
    found.push_back(node + step);
    break;
  }
  return found;
}

// Siblings differ, and so do a node's edges from both of its parents. A leaf's edge is its mirror image's, therefore.
int TwoTrees::color(int tree, int node) const {
  if (node % 2 == 1) node = nodes_ + 1 - node;
  int color = tree ^ (head_ == 0 ? 0 : 1);
  while (node != top_) {
    const int above = parent(node);
    color ^= (nodes_ / 2 & 1) ^ (above > node ? 1 : 0);
    node = above;
  }
  return color;
}

int TwoTrees::first_step(int tree, int node) const {
  if (node == top_) return tree + (head_ == 0 ? 0 : 1);
  const int next = first_step(tree, parent(node)) + 1;
  return next + ((next ^ color(tree, node)) & 1);
}

int TwoTrees::above(int tree, int rank) const {
  if (rank == head_) return 0;
  const int node = mirrored(tree, rank);
  return node == top_ ? source() : mirrored(tree, parent(node));
}

std::vector<TwoTrees::Edge> TwoTrees::to(int rank) const {
  std::vector<Edge> edges;
  if (rank == 0) return edges;
  for (const int tree : {0, 1}) {
    edges.push_back({tree, above(tree, rank), rank == head_ ? tree : first_step(tree, mirrored(tree, rank))});
  }
  return edges;
}

std::vector<TwoTrees::Edge> TwoTrees::from(int rank) const {
  std::vector<Edge> edges;
  for (const int tree : {0, 1}) {
    const auto add = [&](int node) { edges.push_back({tree, mirrored(tree, node), first_step(tree, node)}); };
    if (rank == 0 && head_ != 0) {
      edges.push_back({tree, head_, tree});
    } else if (rank == source()) {
      if (top_ > 0) add(top_);
    } else {
      for (const int child : children(mirrored(tree, rank))) add(child);
    }
  }
  return edges;
}

// The last segment of its tree comes to the lowest leaf so late; with one segment, in fewer steps, because ranks that
// would wait for the other tree's do not.
int TwoTrees::steps(int ranks, int segments) {
  if (ranks == 1) return 0;
  constexpr int shorter[] = {1, 3, 2, 2};  // by p mod 4
  const int alone = segments == 1 && (ranks == 3 || ranks == 4) ? 1 : 0;
  return segments + 2 * ceil_log2(ranks) - shorter[ranks % 4] - alone;
}

}  // namespace tutti::algorithms
