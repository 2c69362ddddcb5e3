/// @file
/// In which order a reduction combines the contributions of ranks: what its bits depend on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/model/schedule.hpp"

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

  /// The order of the first block alone, on rank 0, of many ranks that all do the same, seen from themselves. Block b,
  /// which is rank b's of a reduce-scatter, is combined as the first one, b added to all ranks modulo p. Empty where
  /// that is not proved so. `looks_at` is told each rank before its program is recorded.
  /// Cost: some tens of nanoseconds for each operation of all ranks, none of which is kept.
  static std::optional<CombiningOrder> of_first_block(const Choice& choice, const Problem& problem,
                                                      const Layout& layout = {},
                                                      const std::function<void(std::size_t rank)>& looks_at = {});

  /// By rank, then by position; neighbours differ in order.
  const std::vector<Result>& results() const { return results_; }
  /// Each once, in the order in which results have them.
  std::vector<std::int32_t> distinct() const;

  /// Whether the order is a rank's contribution itself, which has the rank's number.
  bool is_contribution(std::int32_t order) const { return tree(order).left < 0; }
  std::int32_t left(std::int32_t order) const { return tree(order).left; }
  std::int32_t right(std::int32_t order) const { return tree(order).right; }

  /// A number that equal orders of any schedules have in common, and others but by a chance of 2^-64.
  std::uint64_t digest(std::int32_t order) const { return tree(order).digest; }

  /// Combinations one after another, on the longest way from a contribution to the result.
  int depth(std::int32_t order) const { return tree(order).depth; }
  int contributions(std::int32_t order) const { return tree(order).contributions; }
  /// "((0 + 1) + 2)": numbers are ranks, whose contributions are combined. Where there are more than `most_terms`, of
  /// which 0 is no limit, the innermost are named as a set: "({0..5} + 6)".
  std::string text(std::int32_t order, int most_terms = 0) const;

 private:
  struct Tree {
    std::int32_t left = -1;
    std::int32_t right = -1;
    int lowest = 0;  // rank
    int depth = 0;
    int contributions = 1;
    std::uint64_t digest = 0;
  };

  CombiningOrder() = default;
  void add_contribution(int rank) {
    trees_.push_back({.lowest = rank, .digest = spread(static_cast<std::uint64_t>(rank))});
  }
  const Tree& tree(std::int32_t order) const { return trees_[static_cast<std::size_t>(order)]; }
  std::int32_t combine(std::int32_t left, std::int32_t right, bool commutative);
  std::set<std::int32_t> opened(std::int32_t order, int most_terms) const;
  std::string set_text(std::int32_t order) const;

  std::vector<Tree> trees_;
  std::vector<Result> results_;
};

}  // namespace tutti
