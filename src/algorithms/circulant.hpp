/// @file
/// Circulant graphs, on which any number of ranks is served in ceil(log2 p) rounds: what algorithms on them share.
///
/// Rank r is joined to ranks r + s_k (mod p), where the skips 1 = s_0 <= s_1 < … < s_q = p are such that none is more
/// than twice the one before: here s_(k-1) = ceil(s_k / 2), and q = ceil(log2 p).
#pragma once

#include <optional>
#include <vector>

#include "base/integers.hpp"

namespace tutti::algorithms {

/// The skips for p ranks.
class Skips {
 public:
  explicit Skips(int ranks) : ranks_(ranks), rounds_(ceil_log2(ranks)) {}

  int ranks() const { return ranks_; }
  /// q = ceil(log2 p).
  int rounds() const { return rounds_; }
  /// s_k, for 0 <= k <= q.
  int operator[](int k) const { return ceil_divide(ranks_, 1 << (rounds_ - k)); }

 private:
  int ranks_;
  int rounds_;
};

/// Segments that a rank receives in each of n - 1 + q rounds of a broadcast from rank 0.
///
/// In every q rounds that follow one another a rank receives q segments that it does not have: one from the way that
/// the message took to it first, and one for each skip besides. They are found by a search for the rank's ways from
/// rank 0, longest skips first, in O(q) steps, without asking other ranks.
///
/// Needs     a rank in [0, p), n >= 1 segments; rank 0 receives nothing.
/// Source    J. L. Träff, Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast,
///           All-Broadcast, Reduction and All-Reduction, 2024, §2.
class Deliveries {
 public:
  Deliveries(const Skips& skips, int rank, int segments);

  /// The segment that comes in round `i`; nothing where none comes. Needs 0 <= i < n - 1 + q.
  std::optional<int> in_round(int i) const;
  /// The k whose skip s_k round `i` uses.
  int skip_of(int i) const { return (i + idle_) % rounds_; }

 private:
  int segment_in(int i) const;

  std::vector<int> segment_of_skip_;  // in the first q rounds; negative where it comes in later ones alone
  int rounds_;
  int last_;        // segment
  int idle_;        // rounds of the first q that are left out, so that the last segment comes in the last round
  int whole_ = -1;  // the round in which the last segment comes
};

}  // namespace tutti::algorithms
