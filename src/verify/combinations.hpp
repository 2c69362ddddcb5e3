/// @file
/// Contents of a rank, seen from itself, for proofs in which one rank stands for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "schedule/symmetry/rank_symmetry.hpp"

namespace tutti::proof {

/// An expression over the contributions of ranks, which are those of the expression turned by `first`'s turn; all of
/// them relative to the rank that holds it.
struct HeldExpression {
  int expression = nothing;
  int first = 0;

  static constexpr int nothing = -1;
  static constexpr int contribution = 0;  ///< the contribution of rank `first`
};

/// Expressions, each made of two others, of an operator that commutes. What is held alike, first rank and all, has the
/// same bits; the reverse does not hold.
class Combinations {
 public:
  enum class Order : std::uint8_t {
    any,
    consecutive,  ///< by rotation alone: the ranks of one operand follow those of the other
  };

  Combinations(const RankSymmetry& turns, Order order);

  /// The two combined; nothing where they share a rank, where they are not in the order that is asked for, and where
  /// there would be very many expressions of ranks that do not follow one another.
  HeldExpression united(HeldExpression a, HeldExpression b);
  bool is_of_all_ranks(HeldExpression held) const {
    return held.expression != HeldExpression::nothing &&
           ranks_[static_cast<std::size_t>(held.expression)] == turns_.ranks();
  }
  /// Returns the operands over consecutive ranks, by expression: left ∘ right, where the ranks of the right one follow
  /// those of the left one.
  std::vector<std::pair<int, int>> operands() const;

 private:
  using Operands = std::tuple<int, int, int>;  // left and right, and where the right one is, seen from the left one
  using Members = std::vector<bool>;

  HeldExpression united_in_order(HeldExpression a, HeldExpression b);
  HeldExpression united_sets(HeldExpression a, HeldExpression b);
  int ranks_of(HeldExpression held) const { return ranks_[static_cast<std::size_t>(held.expression)]; }
  Members members_of(HeldExpression held) const;

  const RankSymmetry& turns_;
  Order order_;
  std::vector<int> ranks_{1};       // by expression: how many contribute
  std::map<int, Members> members_;  // by expression: which do, but for consecutive ones from 0 on
  std::map<Operands, int> expressions_;
};

}  // namespace tutti::proof
