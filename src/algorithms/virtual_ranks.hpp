/// @file
/// Ranks numbered from the root: what the binomial trees share.
#pragma once

#include "base/integers.hpp"
#include "schedule/problem.hpp"

namespace tutti::algorithms {

/// Numbers in which the root is 0.
///
/// Where p is a power of two, rank r is number r XOR root; otherwise (r - root) mod p. XOR changes the same bits
/// everywhere: numbers that differ in one bit belong to ranks that do, so that the tree's edges are links of a
/// hypercube whatever the root, and the numbers [v, v + 2^k), with v a multiple of 2^k, belong to as many consecutive
/// ranks that begin at a multiple of 2^k, too. On rings, meshes and trees every root has the ways of root 0, therefore,
/// and neighbouring groups of ranks are combined in rank order whatever the root.
class VirtualRanks {
 public:
  explicit VirtualRanks(const Problem& problem)
      : ranks_(problem.ranks), root_(problem.root), flips_(is_power_of_two(problem.ranks)) {}

  int number_of(int rank) const { return flips_ ? rank ^ root_ : modulo(rank - root_, ranks_); }
  int rank_of(int number) const { return flips_ ? number ^ root_ : (number + root_) % ranks_; }
  /// The first of the consecutive ranks, around the end of the ranks, that have the numbers [v, v + span). Needs a
  /// `span` that is a power of two and divides v.
  int first_rank(int v, int span) const { return flips_ ? rank_of(v) & ~(span - 1) : rank_of(v); }

 private:
  int ranks_;
  int root_;
  bool flips_;
};

}  // namespace tutti::algorithms
