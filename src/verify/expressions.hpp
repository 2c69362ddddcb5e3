/// @file
/// Expressions: the contributions in an element, and the order in which they are combined.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tutti::proof {

/// Ranks [first, end).
struct RankRange {
  int first = 0;
  int end = 0;

  friend bool operator==(const RankRange&, const RankRange&) = default;
};

/// The symbolic value of one element: an expression over contributions, each taken at position `offset` of its rank's
/// input.
struct Value {
  std::int32_t expression = 0;
  std::int64_t offset = 0;

  /// The value of the element `n` further on: the same expression over the next elements of the inputs.
  Value after(std::int64_t n) const { return {expression, offset + n}; }
  friend bool operator==(const Value&, const Value&) = default;
};

/// All expressions of one proof. Equal expressions have equal numbers, so that "the same bits" is a comparison of
/// numbers.
///
/// Expression r < ranks is the contribution of rank r itself. Others are left ∘ right. Where the operator is
/// commutative, a ∘ b and b ∘ a have the same bits and the same number; the bracketing always matters, as it does for
/// floating point. Each expression knows its contributions as sorted disjoint ranges of ranks. No expression contains
/// one twice.
///
/// Cost: combine is O(1) for a pair seen before, else O(ranges of both).
class Expressions {
 public:
  enum class Fault : std::uint8_t {
    none,
    counted_twice,  ///< a rank contributes to both operands
    out_of_order,   ///< not commutative, and the right operand does not continue where the left one ends
  };
  struct Combined {
    std::int32_t expression = 0;
    Fault fault = Fault::none;
  };

  Expressions(int ranks, bool commutative);

  /// left ∘ right; the expression means nothing where there is a fault.
  Combined combine(std::int32_t left, std::int32_t right);

  /// Operands of a combination: left ∘ right, in either order if the operator is commutative.
  struct Operands {
    std::int32_t left = -1;
    std::int32_t right = -1;
  };
  /// By expression; of a rank's contribution both are -1. Cost: O(expressions).
  std::vector<Operands> operands() const;

  /// The ranks that contribute to `expression`.
  std::span<const RankRange> contributions(std::int32_t expression) const;
  /// Whether exactly the ranks of `range` contribute to `expression`.
  bool holds_exactly(std::int32_t expression, RankRange range) const;
  /// In words: "the contributions of ranks 0..3, 7".
  std::string text_of(std::int32_t expression) const;

 private:
  struct Node {
    std::uint32_t first_range;
    std::uint32_t ranges;
  };
  struct Entry {
    std::uint64_t operands;
    std::int32_t expression;  // vacant: -1
  };

  Entry& entry_for(std::uint64_t operands);
  void grow();
  Fault unite(std::int32_t left, std::int32_t right);

  bool commutative_;
  std::vector<Node> nodes_;
  std::vector<RankRange> ranges_;
  std::vector<Entry> table_;  // open addressing; a power of two, at most half full
  std::size_t entries_ = 0;
};

}  // namespace tutti::proof
