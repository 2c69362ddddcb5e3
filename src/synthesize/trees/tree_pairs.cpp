/// @file
/// Pairs of trees, each pair the cheapest where links that others have filled cost more.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/integers.hpp"
#include "synthesize/overlapped.hpp"
#include "synthesize/trees/arborescence.hpp"
#include "synthesize/trees/routed_edges.hpp"

namespace tutti::synthesize {
namespace {

/// A tree by the parents of its ranks.
struct ParentTree {
  int root = 0;
  std::vector<int> parents;

  int depth_of(int rank) const {
    int depth = 0;
    for (; rank != root; rank = parents[static_cast<std::size_t>(rank)]) ++depth;
    return depth;
  }
  bool is_below(int rank, int top) const {
    while (rank != top && rank != root) rank = parents[static_cast<std::size_t>(rank)];
    return rank == top;
  }
};

struct TreePair {
  ParentTree up;
  ParentTree down;
};

class PairPacking {
 public:
  explicit PairPacking(const RoutedEdges& ways) : ways_(ways), carried_(ways.times().size()) {
    std::vector<std::pair<double, int>> totals;
    const std::vector<double> down = weights(false);
    const std::vector<double> up = weights(true);
    for (int root = 0; root < ways.ranks(); ++root) {
      double total = 0;
      for (int rank = 0; rank < ways.ranks(); ++rank)
        total += down[ways.place(root, rank)] + up[ways.place(root, rank)];
      totals.emplace_back(total, root);
    }
    // Roots are few where ranks are many: those that reach all others with the least.
    std::stable_sort(totals.begin(), totals.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const std::size_t most_roots = ways.ranks() <= 16 ? 16 : 4;
    for (const auto& [total, root] : totals) {
      if (roots_.size() < most_roots) roots_.push_back(root);
    }
  }

  const std::vector<TreePair>& pairs() const { return pairs_; }
  /// Seconds a byte of the message for the fullest link.
  double achieved() const { return fullest() / static_cast<double>(pairs_.size()); }

  void add() {
    const std::vector<double> down = weights(false);
    const std::vector<double> up = weights(true);
    double best = std::numeric_limits<double>::infinity();
    TreePair pair;
    for (const int root : roots_) {
      TreePair found{.up = least(root, up), .down = least(root, down)};
      const double weight = weight_of(found.up, up) + weight_of(found.down, down);
      if (weight >= best) continue;
      best = weight;
      pair = std::move(found);
    }
    carry(pair.down, false, 1);
    pair.up = least(pair.up.root, weights(true));
    carry(pair.up, true, 1);
    pairs_.push_back(std::move(pair));
  }

  /// Takes pairs out one by one and finds them anew, until that makes no link less full, or so often at most.
  void relieve(std::size_t most_tries) {
    for (std::size_t failed = 0, tries = 0, k = 0; failed < pairs_.size() && tries < most_tries;
         k = (k + 1) % pairs_.size(), ++tries) {
      const double before = fullness();
      const TreePair old = pairs_[k];
      for (const bool turned : {false, true}) {
        ParentTree& tree = turned ? pairs_[k].up : pairs_[k].down;
        carry(tree, turned, -1);
        tree = least(tree.root, weights(turned));
        carry(tree, turned, 1);
      }
      if (fullness() < before * (1 - 1e-9)) {
        failed = 0;
        continue;
      }
      replace(pairs_[k], old);
      ++failed;
    }
  }

  /// Lets ranks hang nearer to the roots wherever no link becomes fuller than the fullest is.
  void flatten() {
    const double most = fullest() * (1 + 1e-12);
    for (TreePair& pair : pairs_) {
      for (bool changed = true; changed;) {
        changed = false;
        for (const bool turned : {false, true}) {
          for (int rank = 0; rank < ways_.ranks(); ++rank)
            changed |= raise(turned ? pair.up : pair.down, rank, turned, most);
        }
      }
    }
  }

 private:
  // The way of an edge of a tree, from the rank nearer to the root, or to it where the tree is turned.
  const std::vector<std::size_t>& way(int above, int below, bool turned) const {
    return turned ? ways_.way(below, above) : ways_.way(above, below);
  }

  double fullest() const {
    double most = 0;
    for (std::size_t link = 0; link < carried_.size(); ++link)
      most = std::max(most, static_cast<double>(carried_[link]) * ways_.times()[link]);
    return most;
  }

  // Less where the fullest link is less full, or fewer links are as full.
  double fullness() const {
    const double most = fullest();
    double others = 0;
    for (std::size_t link = 0; link < carried_.size(); ++link)
      others += std::exp(32 * (static_cast<double>(carried_[link]) * ways_.times()[link] / most - 1));
    return most * (1 + 1e-3 * others / static_cast<double>(carried_.size()));
  }

  // Returns the weights of edges between ranks: a link costs the more the fuller it is, more steeply as pairs grow in
  // number.
  std::vector<double> weights(bool turned) const {
    const double most = fullest();
    const double steep = std::min(2.0 + static_cast<double>(pairs_.size()), 40.0);
    std::vector<double> each = ways_.times();
    for (std::size_t link = 0; link < each.size() && most > 0; ++link)
      each[link] *= std::exp(steep * (static_cast<double>(carried_[link]) * ways_.times()[link] / most - 1));
    std::vector<double> weights(static_cast<std::size_t>(ways_.ranks()) * static_cast<std::size_t>(ways_.ranks()));
    for (int above = 0; above < ways_.ranks(); ++above) {
      for (int below = 0; below < ways_.ranks(); ++below) {
        for (const std::size_t link : way(above, below, turned)) weights[ways_.place(above, below)] += each[link];
      }
    }
    return weights;
  }

  ParentTree least(int root, const std::vector<double>& weights) const {
    return {root, least_arborescence(ways_.ranks(), root, weights)};
  }

  double weight_of(const ParentTree& tree, const std::vector<double>& weights) const {
    double total = 0;
    for (int rank = 0; rank < ways_.ranks(); ++rank) {
      if (rank != tree.root) total += weights[ways_.place(tree.parents[static_cast<std::size_t>(rank)], rank)];
    }
    return total;
  }

  void carry(const ParentTree& tree, bool turned, std::int64_t times) {
    for (int rank = 0; rank < ways_.ranks(); ++rank) {
      if (rank == tree.root) continue;
      for (const std::size_t link : way(tree.parents[static_cast<std::size_t>(rank)], rank, turned))
        carried_[link] += times;
    }
  }

  void replace(TreePair& pair, const TreePair& by) {
    carry(pair.down, false, -1);
    carry(pair.up, true, -1);
    pair = by;
    carry(pair.down, false, 1);
    carry(pair.up, true, 1);
  }

  bool raise(ParentTree& tree, int rank, bool turned, double most) {
    if (rank == tree.root) return false;
    int& parent = tree.parents[static_cast<std::size_t>(rank)];
    const int before = tree.depth_of(parent);
    const auto carry_over = [&](int above, std::int64_t times) {
      for (const std::size_t link : way(above, rank, turned)) carried_[link] += times;
    };
    for (int other = 0; other < ways_.ranks(); ++other) {
      if (other == rank || tree.is_below(other, rank) || tree.depth_of(other) >= before) continue;
      carry_over(parent, -1);
      carry_over(other, 1);
      const auto fits = [&](std::size_t link) {
        return static_cast<double>(carried_[link]) * ways_.times()[link] <= most;
      };
      const std::vector<std::size_t>& links = way(other, rank, turned);
      if (std::all_of(links.begin(), links.end(), fits)) {
        parent = other;
        return true;
      }
      carry_over(other, -1);
      carry_over(parent, 1);
    }
    return false;
  }

  const RoutedEdges& ways_;
  std::vector<int> roots_;
  std::vector<std::int64_t> carried_;  // parts over each link or limit
  std::vector<TreePair> pairs_;
};

Tree tree_of(const ParentTree& found) {
  Tree tree{.root = found.root, .parts = 1, .edges = {}};
  for (int rank = 0; rank < static_cast<int>(found.parents.size()); ++rank) {
    if (rank != found.root)
      tree.edges.push_back({found.parents[static_cast<std::size_t>(rank)], rank, found.depth_of(rank)});
  }
  std::stable_sort(tree.edges.begin(), tree.edges.end(),
                   [](const TreeEdge& a, const TreeEdge& b) { return a.depth < b.depth; });
  return tree;
}

// Pairs that are alike become one that carries the parts of all.
Trees trees_of(const std::vector<TreePair>& pairs) {
  Trees trees;
  trees.up.each = trees.down.each = static_cast<std::int64_t>(pairs.size());
  for (const TreePair& pair : pairs) {
    const Tree up = tree_of(pair.up);
    const Tree down = tree_of(pair.down);
    std::size_t k = 0;
    const auto is_known = [&] {
      return trees.up.trees[k].root == up.root && trees.up.trees[k].edges == up.edges &&
             trees.down.trees[k].edges == down.edges;
    };
    while (k < trees.up.trees.size() && !is_known()) ++k;
    if (k < trees.up.trees.size()) {
      ++trees.up.trees[k].parts;
      ++trees.down.trees[k].parts;
    } else {
      trees.up.trees.push_back(up);
      trees.down.trees.push_back(down);
    }
  }
  return trees;
}

// Seconds with the best number of chunks: (chunks + depth - 1) (ts + T / chunks).
double estimate(const Synthesis& made, std::int64_t bytes, const Machine& machine) {
  const auto chunks = static_cast<double>(best_overlapped_chunks(made, bytes, machine));
  const int depth = made.trees.up.depth() + made.trees.down.depth();
  return (chunks + depth - 1) * (machine.ts + made.achieved * static_cast<double>(bytes) / chunks);
}

}  // namespace

Synthesis overlapped_trees(const SynthesisRequest& wish, std::int64_t bytes, const Topology& topology,
                           const Machine& machine) {
  const RoutedEdges ways(wish, topology, machine);
  PairPacking packing(ways);
  Synthesis best;
  double least = std::numeric_limits<double>::infinity();
  const bool many = topology.ranks() > 16;
  const std::int64_t most = std::clamp<std::int64_t>(wish.most_trees, 1, many ? 16 : 64);
  const std::size_t most_tries = many ? 16 : 1024;
  for (std::int64_t pairs = 1; pairs <= most; ++pairs) {
    packing.add();
    // One more of many pairs makes little difference, and with many ranks each takes long.
    const bool settles = many ? is_power_of_two(static_cast<int>(pairs)) : pairs <= 8 || pairs % 8 == 0;
    if (!settles && pairs < most) continue;
    PairPacking settled = packing;
    settled.relieve(most_tries);
    settled.flatten();
    Synthesis made{.trees = trees_of(settled.pairs()), .achieved = settled.achieved()};
    const double seconds = estimate(made, bytes, machine);
    if (seconds >= least) continue;
    least = seconds;
    best = std::move(made);
  }
  return best;
}

}  // namespace tutti::synthesize
