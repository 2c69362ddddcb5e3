/// @file
/// All-reduce in rounds that multiply for how many ranks a partial result stands: see recursive_doubling.cpp, where
/// they double that, and recursive_multiplying.cpp.
#pragma once

#include "base/integers.hpp"
#include "schedule/record/script.hpp"

namespace tutti::algorithms {

/// The ranks that take part in the rounds, numbered in rank order: c k^d of p, with the largest k^d <= p and
/// c = floor(p / k^d). The others are folded into neighbours: rank 2 i + 1 into rank 2 i.
///
/// Needs p >= 1, k >= 2.
class Multiplied {
 public:
  Multiplied(int ranks, int radix) : radix_(radix) {
    while (top_ <= ranks / radix) top_ *= radix;
    core_ = ranks / top_ * top_;
    folded_ = ranks - core_;
  }

  int folded() const { return folded_; }
  int core() const { return core_; }
  int number_of(int rank) const { return rank < 2 * folded_ ? rank / 2 : rank - folded_; }
  int rank_of(int number) const { return number < folded_ ? 2 * number : number + folded_; }
  /// Calls `see(width, factor)` for each round: groups of `factor` numbers that lie `width` apart meet.
  template <typename See>
  void for_each_round(See&& see) const {
    int width = 1;
    for (; width < top_; width *= radix_) see(width, radix_);
    if (core_ > top_) see(top_, core_ / top_);
  }

 private:
  int radix_;
  int top_ = 1;  // k^d
  int core_ = 1;
  int folded_ = 0;
};

/// Records a rank: in each round the ranks of a group send one another all that they have and combine it in rank order.
/// Buffers: see recursive_doubling.cpp.
void multiply(Script& me, const Problem& problem, int radix);
Traffic multiplying_claims(const Problem& problem, int radix);

}  // namespace tutti::algorithms
