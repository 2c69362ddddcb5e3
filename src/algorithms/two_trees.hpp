/// @file
/// Two binary trees over the same ranks, each of which has inner nodes where the other has leaves.
#pragma once

#include <vector>

namespace tutti::algorithms {

/// The trees over ranks 1 .. p - 1, fed by rank 0, and the steps in which segments come to each rank.
///
/// A tree numbers its nodes in order: i is above i - 2^h and i + 2^h (or the next below it that there is) where 2^(h+1)
/// is its lowest set bit. So odd nodes are leaves, even ones inner, and what is below a node are neighbouring ranks.
/// The second tree is the first mirrored, which makes inner nodes leaves as long as there is an even number of them;
/// otherwise the last rank is the parent of both roots.
///
/// An edge carries its tree's segments in every second step. Of the two edges that lead to a rank, and of those that
/// leave it, one uses the even steps and the other the odd ones: a rank sends and receives one segment a step. Which
/// edge is which follows from the edges above it in O(log p) steps.
///
/// Source    P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
///           Parallel Computing 35(12), 2009, §3.
class TwoTrees {
 public:
  explicit TwoTrees(int ranks);

  /// An edge of a tree (0 or 1), and the first step in which it carries a segment; it does so in every second one then.
  struct Edge {
    int tree = 0;
    int peer = 0;
    int first_step = 0;
  };
  /// The edges by which a rank receives, none for rank 0; and those by which it sends.
  std::vector<Edge> to(int rank) const;
  std::vector<Edge> from(int rank) const;
  /// The rank at the other end of the edge of that tree by which a rank other than 0 receives.
  int above(int tree, int rank) const;

  /// Returns how many steps `segments` take that go down the trees by turns, the first one down tree 0.
  static int steps(int ranks, int segments);

 private:
  int mirrored(int tree, int node) const { return tree == 0 ? node : nodes_ + 1 - node; }
  int parent(int node) const;
  std::vector<int> children(int node) const;
  int color(int tree, int node) const;
  int first_step(int tree, int node) const;
  int source() const { return head_ == 0 ? 0 : head_; }

  int nodes_;  // nodes of each tree
  int head_;   // the rank that feeds the roots, where that is not rank 0
  int top_;    // the root
};

}  // namespace tutti::algorithms
