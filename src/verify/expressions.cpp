#include "verify/expressions.hpp"

#include <fmt/format.h>

#include "base/digest.hpp"

namespace tutti::proof {
namespace {

constexpr std::int32_t vacant = -1;
constexpr std::size_t first_table_size = 256;

std::uint64_t pair_of(std::int32_t left, std::int32_t right) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) | static_cast<std::uint32_t>(right);
}

}  // namespace

Expressions::Expressions(int ranks, bool commutative)
    : commutative_(commutative), table_(first_table_size, Entry{0, vacant}) {
  nodes_.reserve(static_cast<std::size_t>(ranks) * 2);
  ranges_.reserve(static_cast<std::size_t>(ranks) * 2);
  for (int rank = 0; rank < ranks; ++rank) {
    nodes_.push_back({static_cast<std::uint32_t>(rank), 1});
    ranges_.push_back({rank, rank + 1});
  }
}

Expressions::Combined Expressions::combine(std::int32_t left, std::int32_t right) {
  if (commutative_ && right < left) std::swap(left, right);
  Entry& known = entry_for(pair_of(left, right));
  if (known.expression != vacant) return {known.expression};
  if (const Fault fault = unite(left, right); fault != Fault::none) return {.fault = fault};
  const auto fresh = static_cast<std::int32_t>(nodes_.size() - 1);
  known = {pair_of(left, right), fresh};
  if (++entries_ * 2 > table_.size()) grow();
  return {fresh};
}

std::vector<Expressions::Operands> Expressions::operands() const {
  std::vector<Operands> found(nodes_.size());
  for (const Entry& entry : table_) {
    if (entry.expression == vacant) continue;
    found[static_cast<std::size_t>(entry.expression)] = {static_cast<std::int32_t>(entry.operands >> 32),
                                                         static_cast<std::int32_t>(entry.operands & 0xffffffffU)};
  }
  return found;
}

std::span<const RankRange> Expressions::contributions(std::int32_t expression) const {
  const Node& node = nodes_[static_cast<std::size_t>(expression)];
  return {ranges_.data() + node.first_range, node.ranges};
}

bool Expressions::holds_exactly(std::int32_t expression, RankRange range) const {
  const auto held = contributions(expression);
  return held.size() == 1 && held[0] == range;
}

std::string Expressions::text_of(std::int32_t expression) const {
  const auto held = contributions(expression);
  const bool one = held.size() == 1 && held[0].end == held[0].first + 1;
  std::string text = one ? "the contribution of rank " : "the contributions of ranks ";
  for (const RankRange& range : held) {
    if (&range != held.data()) text += ", ";
    text += range.end == range.first + 1 ? fmt::format("{}", range.first)
                                         : fmt::format("{}..{}", range.first, range.end - 1);
  }
  return text;
}

Expressions::Entry& Expressions::entry_for(std::uint64_t operands) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = spread(operands) & mask;
  while (table_[at].expression != vacant && table_[at].operands != operands) at = (at + 1) & mask;
  return table_[at];
}

void Expressions::grow() {
  std::vector<Entry> old(table_.size() * 2, Entry{0, vacant});
  old.swap(table_);
  for (const Entry& entry : old) {
    if (entry.expression != vacant) entry_for(entry.operands) = entry;
  }
}

// Appends a node whose contributions are those of both operands; on a fault nothing is appended.
Expressions::Fault Expressions::unite(std::int32_t left, std::int32_t right) {
  const Node a = nodes_[static_cast<std::size_t>(left)];
  const Node b = nodes_[static_cast<std::size_t>(right)];
  const std::size_t begin = ranges_.size();
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < a.ranges || j < b.ranges) {
    const bool from_a =
        j == b.ranges || (i < a.ranges && ranges_[a.first_range + i].first < ranges_[b.first_range + j].first);
    const RankRange next = ranges_[from_a ? a.first_range + i++ : b.first_range + j++];
    if (ranges_.size() > begin && next.first < ranges_.back().end) {
      ranges_.resize(begin);
      return Fault::counted_twice;
    }
    if (ranges_.size() > begin && next.first == ranges_.back().end) {
      ranges_.back().end = next.end;
    } else {
      ranges_.push_back(next);
    }
  }
  // In order means one range on each side, the right one beginning where the left one ends.
  const bool ordered = ranges_.size() == begin + 1 && ranges_[b.first_range].first == ranges_[a.first_range].end;
  if (!commutative_ && !ordered) {
    ranges_.resize(begin);
    return Fault::out_of_order;
  }
  nodes_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(ranges_.size() - begin)});
  return Fault::none;
}

}  // namespace tutti::proof
