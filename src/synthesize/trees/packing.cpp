#include <algorithm>

#include "base/check.hpp"
#include "synthesize/trees/forest.hpp"
#include "synthesize/trees/held_flows.hpp"

namespace tutti::synthesize {
namespace {

/// A tree that grows, and in how many copies.
struct Growing {
  Tree tree;
  int gate = 0;             // the node that feeds all ranks what the tree carries, over those that it has reached
  std::vector<int> ranks;   // ranks that it has reached, in order
  std::vector<int> depths;  // depth of each rank; -1: not reached

  bool reaches(int rank) const { return depths[static_cast<std::size_t>(rank)] >= 0; }
  bool is_complete() const { return ranks.size() == depths.size(); }
};

/// Grows all trees together, so that none has to go the long ways that others have left: each takes an edge in turn,
/// and none goes deeper before all have taken the edges that they can.
///
/// Invariant: out of every set of ranks lead links for as many copies as there are of trees that lie within it; each of
/// them must get out. If just as many do, the set is full: only trees within it leave it. No set gets more room again,
/// so whatever a tree cannot take once, it never can.
class TreePacking {
 public:
  TreePacking(const Capacities& capacities, const Supplies& supplies) : flows_(capacities) {
    for (int rank = 0; rank < capacities.ranks(); ++rank) {
      const std::int64_t parts = supplies[static_cast<std::size_t>(rank)];
      if (parts == 0) continue;
      Growing growing{.tree = {.root = rank, .parts = parts, .edges = {}}, .gate = flows_.add_node(), .ranks = {rank}};
      growing.depths.assign(supplies.size(), -1);
      growing.depths[static_cast<std::size_t>(rank)] = 0;
      flows_.widen(growing.gate, rank, HeldFlows::unlimited);
      flows_.feed(growing.gate, parts);
      growing_.push_back(std::move(growing));
    }
  }

  std::vector<Tree> trees() {
    for (int depth = 1; !all_complete(); ++depth) {
      const std::size_t before = edges_;
      for (std::size_t last = edges_ + 1; last != edges_;) {
        last = edges_;
        for (std::size_t k = 0; k < growing_.size(); ++k) grow(k, depth);
      }
      if (edges_ == before) fail(ErrorCode::internal, "no tree grows to more than {} edges of depth", depth - 1);
    }
    std::vector<Tree> done;
    for (Growing& growing : growing_) done.push_back(std::move(growing.tree));
    return done;
  }

 private:
  bool all_complete() const {
    return std::all_of(growing_.begin(), growing_.end(), [](const Growing& growing) { return growing.is_complete(); });
  }

  // Adds one edge of that depth, if there is one.
  void grow(std::size_t k, int depth) {
    if (growing_[k].is_complete()) return;
    for (const int from : std::vector(growing_[k].ranks)) {
      if (growing_[k].depths[static_cast<std::size_t>(from)] != depth - 1) continue;
      for (const int to : beyond(growing_[k], from)) {
        if (!is_barred(growing_[k], from, to) && takes(k, from, to)) return;
      }
    }
  }

  // The ranks not reached yet to which a link leads, the one that most is left to first.
  std::vector<int> beyond(const Growing& growing, int from) const {
    const int ranks = static_cast<int>(growing.depths.size());
    std::vector<std::pair<std::int64_t, int>> found;
    for (const int to : flows_.neighbours(from)) {
      if (!growing.reaches(to)) found.emplace_back(-flows_.capacity(from, to), (to - from + ranks) % ranks);
    }
    std::sort(found.begin(), found.end());
    std::vector<int> order;
    for (const auto& [room, step] : found) order.push_back((from + step) % ranks);
    return order;
  }

  // Whether the edge leaves a full set that the tree has left already.
  bool is_barred(const Growing& growing, int from, int to) const {
    return std::any_of(full_.begin(), full_.end(), [&](const std::vector<char>& set) {
      return set[static_cast<std::size_t>(from)] && !set[static_cast<std::size_t>(to)] &&
             std::any_of(growing.ranks.begin(), growing.ranks.end(),
                         [&](int rank) { return !set[static_cast<std::size_t>(rank)]; });
    });
  }

  // Adds the edge to as many copies as leave all others enough; the others go on as a tree of their own.
  bool takes(std::size_t k, int from, int to) {
    const int gate = growing_[k].gate;
    const std::int64_t parts = growing_[k].tree.parts;
    const std::int64_t most = std::min(parts, flows_.capacity(from, to));
    flows_.widen(gate, to, HeldFlows::unlimited);
    const std::int64_t copies = flows_.narrow(from, to, most);
    if (copies < most) full_.push_back(flows_.narrow_side());
    if (copies == 0) {
      flows_.widen(gate, to, -HeldFlows::unlimited);
      return false;
    }
    if (copies < parts) {
      Growing others = growing_[k];
      others.tree.parts = parts - copies;
      others.gate = flows_.divide(gate, others.tree.parts);
      flows_.narrow(others.gate, to, HeldFlows::unlimited);
      growing_[k].tree.parts = copies;
      growing_.push_back(std::move(others));
    }
    add(growing_[k], from, to);
    return true;
  }

  void add(Growing& growing, int from, int to) {
    const int depth = growing.depths[static_cast<std::size_t>(from)] + 1;
    growing.tree.edges.push_back({from, to, depth});
    growing.depths[static_cast<std::size_t>(to)] = depth;
    growing.ranks.push_back(to);
    ++edges_;
  }

  HeldFlows flows_;
  std::vector<Growing> growing_;
  std::vector<std::vector<char>> full_;  // sets of ranks, by node
  std::size_t edges_ = 0;
};

}  // namespace

Forest pack_trees(const Capacities& capacities, const Supplies& supplies) {
  Forest forest;
  forest.each = *std::max_element(supplies.begin(), supplies.end());
  forest.trees = TreePacking(capacities, supplies).trees();
  std::stable_sort(forest.trees.begin(), forest.trees.end(),
                   [](const Tree& a, const Tree& b) { return a.root < b.root; });
  return forest;
}

int Forest::depth() const {
  int deepest = 0;
  for (const Tree& tree : trees) {
    for (const TreeEdge& edge : tree.edges) deepest = std::max(deepest, edge.depth);
  }
  return deepest;
}

}  // namespace tutti::synthesize
