#include <utility>
#include <vector>

#include "synthesize/trees/forest.hpp"

namespace tutti::synthesize {
namespace {

/// The ranks beside the root, from `first` on: those that pass on in each tree, `within` of them, tree after tree, and
/// `left` others.
struct Shares {
  int ranks = 1;
  int root = 0;
  int first = 0;
  int trees = 1;
  int within = 0;
  int left = 0;

  int rank_of(int other) const {
    const int before_root = (root - first + ranks) % ranks;
    return (first + other + (other < before_root ? 0 : 1)) % ranks;
  }
};

// Returns the receivers in a tree, in the order in which they join: those that pass on in it, those left, and all
// others.
std::vector<int> order_in(const Shares& shares, int tree) {
  const int others = shares.ranks - 1;
  std::vector<int> order;
  for (int k = 0; k < shares.within; ++k) order.push_back(shares.rank_of(tree * shares.within + k));
  for (int k = 0; k < shares.left; ++k) order.push_back(shares.rank_of(others - shares.left + k));
  for (int k = 0; k < others - shares.left; ++k) {
    if (k / shares.within != tree) order.push_back(shares.rank_of(k));
  }
  return order;
}

}  // namespace

std::optional<Forest> shared_trees(int ranks, int root, int first, int trees) {
  const Shares shares{ranks, root, first, trees, (ranks - 1) / trees, (ranks - 1) % trees};
  if (shares.within == 0) return std::nullopt;
  Forest forest{.trees = {}, .each = trees};
  int of_the_left = 0;  // number of parts that those left pass on, in all trees
  for (int k = 0; k < trees; ++k) {
    Tree tree{.root = root, .parts = 1, .edges = {{root, shares.rank_of(k * shares.within), 1}}};
    const std::vector<int> order = order_in(shares, k);
    for (int place = 1; place < static_cast<int>(order.size()); ++place) {
      const bool full = place > trees * shares.within;
      const int above = full ? shares.within + of_the_left++ % shares.left : (place - 1) / trees;
      tree.edges.push_back({order[static_cast<std::size_t>(above)], order[static_cast<std::size_t>(place)],
                            tree.edges[static_cast<std::size_t>(above)].depth + 1});
    }
    forest.trees.push_back(std::move(tree));
  }
  return forest;
}

}  // namespace tutti::synthesize
