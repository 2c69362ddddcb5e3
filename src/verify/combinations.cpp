#include "verify/combinations.hpp"

namespace tutti::proof {

Combinations::Combinations(const RankSymmetry& turns, Order order) : turns_(turns), order_(order) {}

HeldExpression Combinations::united(HeldExpression a, HeldExpression b) {
  if (ranks_of(a) + ranks_of(b) > turns_.ranks()) return {};
  if (turns_.kind() == RankSymmetry::Kind::rotation) {
    const HeldExpression found = united_in_order(a, b);
    if (found.expression != HeldExpression::nothing || order_ == Order::consecutive) return found;
  }
  return united_sets(a, b);
}

// The operator commutes, so the ranks that come first may stand on the left; where each follows the other, the
// expressions' numbers decide.
HeldExpression Combinations::united_in_order(HeldExpression a, HeldExpression b) {
  if (members_.contains(a.expression) || members_.contains(b.expression)) return {};
  const bool b_follows = turns_(a.first, ranks_of(a)) == b.first;
  const bool a_follows = turns_(b.first, ranks_of(b)) == a.first;
  if (!a_follows && !b_follows) return {};
  if (!b_follows || (a_follows && b.expression < a.expression)) std::swap(a, b);
  const auto [known, fresh] =
      expressions_.try_emplace({a.expression, b.expression, ranks_of(a)}, static_cast<int>(ranks_.size()));
  if (fresh) ranks_.push_back(ranks_of(a) + ranks_of(b));
  return {known->second, a.first};
}

Combinations::Members Combinations::members_of(HeldExpression held) const {
  if (const auto known = members_.find(held.expression); known != members_.end()) return known->second;
  Members members(static_cast<std::size_t>(turns_.ranks()));
  for (int rank = 0; rank < ranks_of(held); ++rank) members[static_cast<std::size_t>(rank)] = true;
  return members;
}

// Turned so that `a` begins at rank 0.
HeldExpression Combinations::united_sets(HeldExpression a, HeldExpression b) {
  constexpr std::size_t most_sets = 1024;  // each has a bit a rank
  if (b.expression < a.expression) std::swap(a, b);
  const int distance = turns_(turns_.back(a.first), b.first);
  const Operands operands{a.expression, b.expression, distance};
  if (const auto known = expressions_.find(operands); known != expressions_.end()) return {known->second, a.first};
  if (members_.size() == most_sets) return {};
  Members members = members_of(a);
  const Members others = members_of(b);
  for (int rank = 0; rank < turns_.ranks(); ++rank) {
    if (!others[static_cast<std::size_t>(rank)]) continue;
    auto member = members[static_cast<std::size_t>(turns_(distance, rank))];
    if (member) return {};
    member = true;
  }
  const auto expression = static_cast<int>(ranks_.size());
  expressions_.emplace(operands, expression);
  ranks_.push_back(ranks_of(a) + ranks_of(b));
  members_.emplace(expression, std::move(members));
  return {expression, a.first};
}

std::vector<std::pair<int, int>> Combinations::operands() const {
  std::vector<std::pair<int, int>> found(ranks_.size());
  for (const auto& [operands, expression] : expressions_)
    found[static_cast<std::size_t>(expression)] = {std::get<0>(operands), std::get<1>(operands)};
  return found;
}

}  // namespace tutti::proof
