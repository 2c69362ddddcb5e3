#include <algorithm>
#include <deque>
#include <limits>

#include "base/check.hpp"
#include "synthesize/forest.hpp"
#include "topology/integer_flow.hpp"

namespace tutti::synthesize {
namespace {

/// A tree that grows, and in how many copies.
struct Growing {
  Tree tree;
  std::vector<int> ranks;   // that it has reached, in order
  std::vector<int> depths;  // of each rank; -1: not reached
};

/// Grows trees one after the other. What must hold all the time: out of every set of ranks lead links for as many
/// copies as there are of trees that still lie within it; each of them must get out.
class Packing {
 public:
  Packing(const Capacities& capacities, const Supplies& supplies) : left_(capacities) {
    for (int rank = 0; rank < left_.ranks(); ++rank) {
      const std::int64_t parts = supplies[static_cast<std::size_t>(rank)];
      if (parts == 0) continue;
      Growing growing{.tree = {.root = rank, .parts = parts, .edges = {}}, .ranks = {rank}, .depths = {}};
      growing.depths.assign(supplies.size(), -1);
      growing.depths[static_cast<std::size_t>(rank)] = 0;
      waiting_.push_back(std::move(growing));
    }
  }

  std::vector<Tree> trees() {
    std::vector<Tree> done;
    while (!waiting_.empty()) {
      Growing growing = std::move(waiting_.front());
      waiting_.pop_front();
      while (growing.ranks.size() < growing.depths.size()) grow(growing);
      done.push_back(std::move(growing.tree));
    }
    return done;
  }

 private:
  // Adds the edges that leave the ranks reached so far, the ranks nearest to the root first, so that trees stay low.
  void grow(Growing& growing) {
    const std::size_t before = growing.ranks.size();
    for (std::size_t k = 0; k < growing.ranks.size(); ++k) {
      const int from = growing.ranks[k];
      for (const int to : neighbours(growing, from)) {
        const std::int64_t copies = std::min({growing.tree.parts, left_.at(from, to), room(from, to)});
        if (copies > 0) add(growing, from, to, copies);
      }
    }
    if (growing.ranks.size() == before)
      fail(ErrorCode::internal, "a tree from rank {} cannot grow beyond {} ranks", growing.tree.root, before);
  }

  // Those not reached yet, the one that most is left to first.
  std::vector<int> neighbours(const Growing& growing, int from) const {
    std::vector<int> found;
    for (int step = 1; step < left_.nodes(); ++step) {
      const int to = (from + step) % left_.nodes();
      if (left_.at(from, to) > 0 && growing.depths[static_cast<std::size_t>(to)] < 0) found.push_back(to);
    }
    std::stable_sort(found.begin(), found.end(), [&](int a, int b) { return left_.at(from, a) > left_.at(from, b); });
    return found;
  }

  // How many copies the edge may take so that the others still get out: the least, over all sets with `from` in it
  // and `to` outside, of the links that lead out without the copies that must.
  std::int64_t room(int from, int to) const {
    constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 4;
    Capacities net = left_.with_nodes(static_cast<int>(waiting_.size()));
    std::int64_t all = 0;
    for (std::size_t k = 0; k < waiting_.size(); ++k) {
      const Growing& other = waiting_[k];
      all += other.tree.parts;
      if (other.ranks.size() == 1) {
        if (other.tree.root != from) net.at(from, other.tree.root) += other.tree.parts;
        continue;
      }
      const int gate = left_.nodes() + static_cast<int>(k);
      net.at(from, gate) = other.tree.parts;
      for (const int rank : other.ranks) net.at(gate, rank) = unlimited;
    }
    return IntegerFlow(net).greatest(from, to) - all;
  }

  // Copies that do not take the edge go on as a tree of their own.
  void add(Growing& growing, int from, int to, std::int64_t copies) {
    if (copies < growing.tree.parts) {
      waiting_.push_front(growing);
      waiting_.front().tree.parts -= copies;
      growing.tree.parts = copies;
    }
    const int depth = growing.depths[static_cast<std::size_t>(from)] + 1;
    growing.tree.edges.push_back({from, to, depth});
    growing.depths[static_cast<std::size_t>(to)] = depth;
    growing.ranks.push_back(to);
    left_.at(from, to) -= copies;
  }

  Capacities left_;
  std::deque<Growing> waiting_;
};

}  // namespace

Forest pack_trees(const Capacities& capacities, const Supplies& supplies) {
  Forest forest;
  forest.each = *std::max_element(supplies.begin(), supplies.end());
  forest.trees = Packing(capacities, supplies).trees();
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
