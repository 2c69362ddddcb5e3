#include "verify/order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tutti/error.hpp"
#include "verify/execution.hpp"
#include "verify/postcondition.hpp"

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
        trees_.push_back({.lowest = static_cast<int>(trees_.size())});
        continue;
      }
      const Tree& a = trees_[static_cast<std::size_t>(left)];
      const Tree& b = trees_[static_cast<std::size_t>(right)];
      const int depth = 1 + std::max(a.depth, b.depth);
      const bool turned = schedule.problem.commutative && b.lowest < a.lowest;
      trees_.push_back({turned ? right : left, turned ? left : right, std::min(a.lowest, b.lowest), depth});
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
      if (!has_result(schedule.problem, rank)) return;
      const auto see = [&](std::int64_t first, std::int64_t count, const proof::Value* value) {
        keep_result(rank, first, count, value->expression);
      };
      execution.memory(rank).visit({Buffer::output, due.first, due.count}, see);
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

std::string CombiningOrder::text(std::int32_t order) const {
  if (is_contribution(order)) return fmt::format("{}", order);
  return fmt::format("({} + {})", text(left(order)), text(right(order)));
}

}  // namespace tutti
