/// @file
/// In which order a reduction combines the contributions of ranks: what its bits depend on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti {

/// The orders of all results of a schedule, each a binary tree whose leaves are contributions.
///
/// Equal orders have equal numbers: two elements have the same bits, from the same contributions, if theirs are equal.
/// Where the operator is commutative a ∘ b and b ∘ a are one order, written with the lower rank first.
class CombiningOrder {
 public:
  /// Elements [first, first + count) of a rank's output, all combined in one order.
  struct Result {
    int rank = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::int32_t order = 0;
  };

  /// Proves the schedule and keeps its results' orders. Throws `Error(invalid_argument)` with the failure where the
  /// schedule is wrong.
  explicit CombiningOrder(const Schedule& schedule);

  /// By rank, then by position; neighbours differ in order.
  const std::vector<Result>& results() const { return results_; }
  /// Each once, in the order in which results have them.
  std::vector<std::int32_t> distinct() const;

  /// Whether the order is a rank's contribution itself, which has the rank's number.
  bool is_contribution(std::int32_t order) const { return trees_[static_cast<std::size_t>(order)].left < 0; }
  std::int32_t left(std::int32_t order) const { return trees_[static_cast<std::size_t>(order)].left; }
  std::int32_t right(std::int32_t order) const { return trees_[static_cast<std::size_t>(order)].right; }

  /// Combinations one after another, on the longest way from a contribution to the result.
  int depth(std::int32_t order) const { return trees_[static_cast<std::size_t>(order)].depth; }
  /// "((0 + 1) + 2)": numbers are ranks, whose contributions are combined.
  std::string text(std::int32_t order) const;

 private:
  struct Tree {
    std::int32_t left = -1;
    std::int32_t right = -1;
    int lowest = 0;  // rank
    int depth = 0;
  };

  std::vector<Tree> trees_;
  std::vector<Result> results_;
};

}  // namespace tutti
