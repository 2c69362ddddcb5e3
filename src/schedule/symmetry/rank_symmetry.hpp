/// @file
/// Symmetry of ranks: groups of permutations that make the program of rank 0 that of any rank.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/integers.hpp"

namespace tutti {

/// Group of permutations of the ranks, one for each rank r, its turn, which takes rank 0 to r: the turn of a after the
/// turn of b is that of the rank to which a's takes b. All ranks are alike, seen from themselves, where each does what
/// rank 0 does with all ranks turned. Blocks are turned with them, by permutations that are the same group.
class RankSymmetry {
 public:
  enum class Kind : std::uint8_t {
    rotation,    ///< n becomes r + n (mod p): as round a ring
    exchange,    ///< n becomes r XOR n: as in a hypercube; needs p = 2^d
    reflection,  ///< n becomes r + n where r is even, r - n where it is odd (mod p): as in a swing; needs an even p
    swing,       ///< ranks as by reflection; blocks as the parts that swings split a message into; needs p = 2^d
  };
  static constexpr std::array all_kinds{Kind::rotation, Kind::exchange, Kind::reflection, Kind::swing};

  static bool fit(Kind kind, int ranks) {
    if (kind == Kind::exchange || kind == Kind::swing) return is_power_of_two(ranks);
    return kind == Kind::rotation || ranks % 2 == 0;
  }

  /// Needs fit(). Cost: O(1); O(p) by swing.
  RankSymmetry(Kind kind, int ranks);

  Kind kind() const { return kind_; }
  int ranks() const { return p_; }

  /// Returns the number that n in [0, p) becomes by the rank's turn.
  int operator()(int rank, int n) const {
    if (kind_ == Kind::exchange) return rank ^ n;
    const int reached = mirrors(rank) ? rank - n + p_ : rank + n;
    return reached < p_ ? reached : reached - p_;
  }

  /// The rank whose turn takes `rank` to 0.
  int back(int rank) const { return kind_ == Kind::exchange || mirrors(rank) || rank == 0 ? rank : p_ - rank; }

  /// Returns the block that block n in [0, p) becomes by the rank's turn: block(r, block(s, n)) is block((*this)(r, s),
  /// n).
  int block(int rank, int n) const {
    if (kind_ != Kind::swing) return (*this)(rank, n);
    return blocks_[static_cast<std::size_t>((*this)(rank, owner(n)))];
  }

  /// The rank whose turn takes block 0 to block n.
  int owner(int n) const { return kind_ == Kind::swing ? owners_[static_cast<std::size_t>(n)] : n; }

  /// Whether the rank's turn goes through the ranks the other way.
  bool mirrors(int rank) const { return (kind_ == Kind::reflection || kind_ == Kind::swing) && rank % 2 == 1; }

  /// Whether 2^k blocks from a multiple of 2^k on become such blocks, in any order.
  bool keeps_aligned_runs() const { return kind_ == Kind::exchange || kind_ == Kind::swing; }

  /// Calls `see(begin, end)` for runs of blocks, together those that [first, first + count) becomes.
  template <typename See>
  void turn_run(int rank, int first, int count, See&& see) const {
    if (keeps_aligned_runs()) {
      for (int at = first, left = count; left > 0;) {
        const int aligned = at == 0 ? p_ : at & -at;
        int size = aligned;
        while (size > left) size /= 2;
        const int begin = block(rank, at) & ~(size - 1);
        see(begin, begin + size);
        at += size;
        left -= size;
      }
      return;
    }
    if (count == 0) return;
    const int begin = (*this)(rank, mirrors(rank) ? first + count - 1 : first);
    see(begin, std::min(begin + count, p_));
    if (begin + count > p_) see(0, begin + count - p_);
  }

 private:
  Kind kind_;
  int p_;
  std::vector<int> owners_;  // by swing: by block
  std::vector<int> blocks_;  // by swing: by rank, the block that it owns
};

}  // namespace tutti
