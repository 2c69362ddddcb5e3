/// @file
/// Ways in which ranks can be alike: how one rank's part becomes another's.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace tutti {

/// For each rank r a permutation of the ranks, its turn, that takes rank 0 to r. Turns are a group: the turn of a after
/// the turn of b is that of the rank to which a's takes b. So all ranks are alike, seen from themselves, where each
/// does what rank 0 does with all ranks turned.
class Turns {
 public:
  enum class Kind : std::uint8_t {
    rotation,    ///< n becomes r + n (mod p): as round a ring
    exchange,    ///< n becomes r XOR n: as in a hypercube; needs p = 2^d
    reflection,  ///< n becomes r + n where r is even, r - n where it is odd (mod p): as in a swing; needs an even p
  };
  static constexpr std::array all_kinds{Kind::rotation, Kind::exchange, Kind::reflection};

  static bool fit(Kind kind, int ranks) {
    return kind == Kind::rotation || (kind == Kind::exchange ? (ranks & (ranks - 1)) == 0 : ranks % 2 == 0);
  }

  /// Needs fit().
  Turns(Kind kind, int ranks) : kind_(kind), p_(ranks) {}

  Kind kind() const { return kind_; }
  int ranks() const { return p_; }

  /// What n in [0, p) becomes by the rank's turn.
  int operator()(int rank, int n) const {
    if (kind_ == Kind::exchange) return rank ^ n;
    const int reached = mirrors(rank) ? rank - n + p_ : rank + n;
    return reached < p_ ? reached : reached - p_;
  }

  /// The rank whose turn takes `rank` to 0.
  int back(int rank) const { return kind_ == Kind::exchange || mirrors(rank) || rank == 0 ? rank : p_ - rank; }

  /// Whether the rank's turn goes through the ranks the other way.
  bool mirrors(int rank) const { return kind_ == Kind::reflection && rank % 2 == 1; }

  /// Calls `see(begin, end)` for runs of ranks, together those that [first, first + count) becomes.
  template <typename See>
  void turn_run(int rank, int first, int count, See&& see) const {
    if (kind_ == Kind::exchange) {
      for (int at = first, left = count; left > 0;) {
        const int aligned = at == 0 ? p_ : at & -at;
        int size = aligned;
        while (size > left) size /= 2;
        const int begin = (at ^ rank) & ~(size - 1);
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
};

}  // namespace tutti
