/// @file
/// Virtual ranks: numbers of the ranks by which the root is 0, for binomial trees.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/integers.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::algorithms {

/// Numbering of the ranks in which the root is number 0. If p is a power of two, rank r is number r XOR root; otherwise
/// (r - root) mod p. XOR changes the same bits everywhere: numbers that differ in one bit belong to ranks that do, so
/// that the tree's edges are links of a hypercube whatever the root, and the numbers [v, v + 2^k), with v a multiple of
/// 2^k, belong to as many consecutive ranks that begin at a multiple of 2^k, too. On rings, meshes and trees the
/// messages of every root therefore have routes as those of root 0, and neighbouring groups of ranks are combined in
/// rank order whatever the root.
class VirtualRanks {
 public:
  explicit VirtualRanks(const Problem& problem)
      : ranks_(problem.ranks), root_(problem.root), flips_(is_power_of_two(problem.ranks)) {}

  int number_of(int rank) const { return flips_ ? rank ^ root_ : modulo(rank - root_, ranks_); }
  int rank_of(int number) const { return flips_ ? number ^ root_ : (number + root_) % ranks_; }
  /// The first of the consecutive ranks, around the end of the ranks, that have the numbers [v, v + span). Needs a
  /// `span` that is a power of two and divides v.
  int first_rank(int v, int span) const { return flips_ ? rank_of(v) & ~(span - 1) : rank_of(v); }
  /// Returns how many bits are set in the numbers of the ranks [0, n) together. Needs 0 <= n <= ranks.
  std::int64_t bits_before(std::int64_t n) const {
    std::int64_t bits = 0;
    for (std::int64_t bit = 1; bit < ranks_; bit *= 2) {
      if (flips_) {
        const std::int64_t set = count_with_bit(n, bit);
        bits += (root_ & bit) != 0 ? n - set : set;
      } else {
        // Ranks before the root have the last numbers, those from the root on the first.
        bits += count_with_bit(ranks_ - root_ + std::min<std::int64_t>(n, root_), bit) -
                count_with_bit(ranks_ - root_, bit);
        bits += count_with_bit(n - root_, bit);
      }
    }
    return bits;
  }

 private:
  int ranks_;
  int root_;
  bool flips_;
};

}  // namespace tutti::algorithms
