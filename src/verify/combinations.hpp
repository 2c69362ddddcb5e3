/// @file
/// What a rank holds, seen from itself, where one rank stands for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "schedule/turns.hpp"

namespace tutti::proof {

/// An expression over the contributions of ranks, which are those of the expression turned by `first`'s turn; all of
/// them relative to the rank that holds it.
struct Held {
  int expression = nothing;
  int first = 0;

  static constexpr int nothing = -1;
  static constexpr int contribution = 0;  ///< of rank `first`
};

/// Expressions, each made of two others, of an operator that commutes. What is held alike, first rank and all, has the
/// same bits; the reverse does not hold.
class Combinations {
 public:
  enum class Order : std::uint8_t {
    any,
    consecutive,  ///< by rotation alone: the ranks of one operand follow those of the other
  };

  Combinations(const Turns& turns, Order order);

  /// The two combined; nothing where they share a rank, where they are not in the order that is asked for, and where
  /// there would be very many expressions of ranks that do not follow one another.
  Held united(Held a, Held b);
  bool is_of_all_ranks(Held held) const {
    return held.expression != Held::nothing && ranks_[static_cast<std::size_t>(held.expression)] == turns_.ranks();
  }
  /// Of consecutive ranks, by expression: left ∘ right, where the ranks of the right one follow those of the left one.
  std::vector<std::pair<int, int>> operands() const;

 private:
  using Operands = std::tuple<int, int, int>;  // left and right, and where the right one is, seen from the left one
  using Members = std::vector<bool>;

  Held united_in_order(Held a, Held b);
  Held united_sets(Held a, Held b);
  int ranks_of(Held held) const { return ranks_[static_cast<std::size_t>(held.expression)]; }
  Members members_of(Held held) const;

  const Turns& turns_;
  Order order_;
  std::vector<int> ranks_{1};       // by expression: how many contribute
  std::map<int, Members> members_;  // by expression: which do, but for consecutive ones from 0 on
  std::map<Operands, int> expressions_;
};

}  // namespace tutti::proof
