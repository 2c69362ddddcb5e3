#include "verify/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <variant>

#include "tutti/error.hpp"
#include "verify/execution.hpp"
#include "verify/observe.hpp"
#include "verify/postcondition.hpp"
#include "verify/symmetry.hpp"

namespace tutti {
namespace {

// In place others keep what they had, which is no result.
bool has_result(const Problem& problem, int rank) {
  if (has_root(problem.collective)) return rank == problem.root;
  return problem.collective != Collective::exclusive_scan || rank > 0;
}

}  // namespace

CombiningOrder::CombiningOrder(const Schedule& schedule) {
  const auto keep_trees = [&](const proof::Expressions& expressions) {
    for (const auto& [left, right] : expressions.operands()) {
      if (left < 0) {
        add_contribution(static_cast<int>(trees_.size()));
      } else {
        combine(left, right, schedule.problem.commutative);
      }
    }
  };
  const auto keep_result = [&](int rank, std::int64_t first, std::int64_t count, std::int32_t order) {
    Result* last = results_.empty() ? nullptr : &results_.back();
    if (last && last->rank == rank && last->order == order && last->first + last->count == first) {
      last->count += count;
    } else {
      results_.push_back({rank, first, count, order});
    }
  };
  const auto failure = proof::examine(schedule, [&](const proof::Execution& execution) {
    keep_trees(execution.expressions());
    proof::for_each_due(schedule.problem, [&](int rank, const proof::Due& due) {
      if (!has_result(schedule.problem, rank)) return true;
      const auto see = [&](std::int64_t first, std::int64_t count, const proof::Value* value) {
        keep_result(rank, first, count, value->expression);
      };
      execution.memory(rank).visit({Buffer::output, due.first, due.count}, see);
      return true;
    });
  });
  if (failure) throw Error(ErrorCode::invalid_argument, describe(*failure));
}

std::vector<std::int32_t> CombiningOrder::distinct() const {
  std::vector<std::int32_t> found;
  std::vector<bool> seen(trees_.size());
  for (const Result& result : results_) {
    if (seen[static_cast<std::size_t>(result.order)]) continue;
    seen[static_cast<std::size_t>(result.order)] = true;
    found.push_back(result.order);
  }
  return found;
}

std::optional<CombiningOrder> CombiningOrder::of_first_block(const Choice& choice, const Problem& problem,
                                                             const Layout& layout,
                                                             const std::function<void(std::size_t rank)>& looks_at) {
  if (!proof::may_be_alike(RankSymmetry::Kind::rotation, problem) || !reduces(problem.collective) ||
      !problem.counts.empty())
    return std::nullopt;
  const std::int64_t count = all_blocks(problem).count(0);
  if (count == 0) return std::nullopt;
  RecordingContext context;
  Program pattern;
  record_rank(context, choice, with_unit_blocks(problem), 0, pattern, layout);
  const auto bracketing = proof::bracketing_by_rotation(problem, pattern, [&](int rank, Program& program) {
    if (looks_at) looks_at(static_cast<std::size_t>(rank));
    record_rank(context, choice, problem, rank, program, layout);
  });
  if (!bracketing) return std::nullopt;

  CombiningOrder found;
  for (int rank = 0; rank < problem.ranks; ++rank) found.add_contribution(rank);
  const auto& operands = bracketing->operands;
  std::vector<std::int32_t> finished;
  // An expression's operands are combined before it; each step says what is still to be combined, the right one on top.
  constexpr int combination = -1;
  std::vector<int> steps{bracketing->expression};
  for (int rank = bracketing->first; !steps.empty();) {
    const int step = steps.back();
    steps.pop_back();
    if (step == combination) {
      const std::int32_t right = finished.back();
      finished.pop_back();
      finished.back() = found.combine(finished.back(), right, true);
    } else if (step == 0) {
      finished.push_back(rank);
      rank = rank + 1 == problem.ranks ? 0 : rank + 1;
    } else {
      const auto [left, right] = operands[static_cast<std::size_t>(step)];
      steps.insert(steps.end(), {combination, right, left});
    }
  }
  found.results_.push_back({0, 0, count, finished.front()});
  return found;
}

std::int32_t CombiningOrder::combine(std::int32_t left, std::int32_t right, bool commutative) {
  const Tree& a = tree(left);
  const Tree& b = tree(right);
  if (commutative && b.lowest < a.lowest) return combine(right, left, false);
  trees_.push_back({left, right, std::min(a.lowest, b.lowest), 1 + std::max(a.depth, b.depth),
                    a.contributions + b.contributions, mixed(mixed(digest_of_nothing, a.digest), b.digest)});
  return static_cast<std::int32_t>(trees_.size() - 1);
}

// The combinations that are written with both of their operands, from the outermost inwards.
std::set<std::int32_t> CombiningOrder::opened(std::int32_t order, int most_terms) const {
  std::set<std::int32_t> opened;
  std::deque<std::int32_t> next{order};
  for (int terms = 1; !next.empty() && (most_terms == 0 || terms < most_terms); next.pop_front()) {
    if (is_contribution(next.front())) continue;
    opened.insert(next.front());
    next.insert(next.end(), {left(next.front()), right(next.front())});
    ++terms;
  }
  return opened;
}

// The contributions without the order.
std::string CombiningOrder::set_text(std::int32_t order) const {
  std::vector<int> ranks;
  std::vector<std::int32_t> next{order};
  while (!next.empty()) {
    const std::int32_t at = next.back();
    next.pop_back();
    if (is_contribution(at)) {
      ranks.push_back(at);
    } else {
      next.insert(next.end(), {left(at), right(at)});
    }
  }
  std::sort(ranks.begin(), ranks.end());
  std::string text = "{";
  for (auto at = ranks.begin(); at != ranks.end();) {
    auto end = at + 1;
    while (end != ranks.end() && *end == end[-1] + 1) ++end;
    if (at != ranks.begin()) text += ", ";
    text += end - at == 1 ? fmt::format("{}", *at) : fmt::format("{}..{}", *at, end[-1]);
    at = end;
  }
  return text + '}';
}

std::string CombiningOrder::text(std::int32_t order, int most_terms) const {
  const std::set<std::int32_t> open = opened(order, most_terms);
  std::string text;
  using Part = std::variant<std::int32_t, std::string_view>;
  std::vector<Part> parts{order};  // still to be written, the next one last
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    if (const auto* const sign = std::get_if<std::string_view>(&part)) {
      text += *sign;
      continue;
    }
    const std::int32_t at = std::get<std::int32_t>(part);
    if (is_contribution(at)) {
      text += std::to_string(at);
    } else if (open.contains(at)) {
      parts.insert(parts.end(), {Part(")"), Part(right(at)), Part(" + "), Part(left(at)), Part("(")});
    } else {
      text += set_text(at);
    }
  }
  return text;
}

}  // namespace tutti
