/// @file
/// Layout: the places of the ranks.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace tutti {

/// Place of a rank. Ranks of one node share its memory.
struct Location {
  int node = 0;     ///< nodes count from 0, in the order of the lowest ranks on them
  int domain = -1;  ///< the NUMA domain of its node; -1: not known, or several among which the rank may move
  int core = -1;    ///< the core of its node; -1: the same

  friend bool operator==(const Location&, const Location&) = default;
};

/// Layout of ranks: which of them share a node, and in it a NUMA domain and a core. Equal on every rank, so that
/// choices and schedules may depend on it.
///
/// Ranks for which nothing is said are all on node 0: so are all ranks of a Layout{}.
class Layout {
 public:
  Layout() = default;
  /// By rank. Nodes may have any numbers >= 0 here: they are counted anew.
  explicit Layout(std::vector<Location> locations);
  /// The first ranks_on[0] ranks on node 0, the next ranks_on[1] on node 1, and so on.
  static Layout of_nodes(std::span<const int> ranks_on);

  /// Returns the number of ranks; 0: no ranks are listed, so that it fits any number of ranks.
  int size() const { return static_cast<int>(locations_.size()); }
  int nodes() const { return nodes_; }
  Location location(int rank) const {
    return rank >= 0 && rank < size() ? locations_[static_cast<std::size_t>(rank)] : Location{};
  }
  int node_of(int rank) const { return location(rank).node; }
  /// The ranks of a node, ascending; of ranks for which nothing is said, none.
  std::span<const int> ranks_on(int node) const {
    if (locations_.empty()) return {};
    const auto n = static_cast<std::size_t>(node);
    return std::span(by_node_).subspan(static_cast<std::size_t>(begins_[n]),
                                       static_cast<std::size_t>(begins_[n + 1] - begins_[n]));
  }
  /// Returns how many of the `ranks` ranks of a problem are on the node that has most of them; all, if there is one
  /// node, whatever the layout's size. O(nodes).
  int on_fullest_node(int ranks) const;
  /// Whether each node holds consecutive ranks, so that a result of every node, in the order of nodes, is one in the
  /// order of ranks.
  bool has_consecutive_ranks() const { return consecutive_; }
  /// These ranks over the parts of which they are at the outermost level at which they differ: their nodes; on one
  /// node, its NUMA domains; in one domain, its cores. Parts stand as nodes. On one node where they differ in nothing,
  /// or not all of their domains, or cores, are known.
  Layout outermost_level() const;
  /// Returns the ranks below `ranks` on each node, ascending.
  std::vector<std::vector<int>> ranks_by_node(int ranks) const;

  /// The layout of some of these ranks, in that order, as a communicator of their own has it.
  Layout of(std::span<const int> ranks) const;

  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  void sort_by_node();

  std::vector<Location> locations_;
  int nodes_ = 1;
  std::vector<int> by_node_;  // ranks: those of node n from begins_[n] on
  std::vector<int> begins_;
  bool consecutive_ = true;
};

/// Throws `Error` unless the layout is one of `ranks` ranks, or speaks of none.
void check(const Layout& layout, int ranks);

/// For people: "3 + 5 + 1 ranks on 3 nodes", "128 ranks on 16 nodes of 8", "9 ranks on one node".
std::string describe(const Layout& layout, int ranks);

}  // namespace tutti
