#include "app/order_sizes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "app/progress.hpp"

namespace tutti::app {
namespace {

std::int64_t effort_of(const Choice& choice, const Problem& problem, const Layout& layout) {
  return choice.algorithm->claims ? recorded_size(choice, problem, layout).effort() : 0;
}

// Gives equal orders of different schedules equal numbers.
class Numbers {
 public:
  std::vector<std::int32_t> of(const CombiningOrder& orders) {
    std::map<std::int32_t, std::int32_t> known;
    std::vector<std::int32_t> numbers;
    for (const std::int32_t order : orders.distinct()) numbers.push_back(number(orders, order, known));
    return numbers;
  }

 private:
  std::int32_t number(const CombiningOrder& orders, std::int32_t order, std::map<std::int32_t, std::int32_t>& known) {
    std::vector<std::int32_t> open{order};
    while (!open.empty()) {
      const std::int32_t at = open.back();
      if (orders.is_contribution(at)) known[at] = at;
      if (known.contains(at)) {
        open.pop_back();
        continue;
      }
      const auto left = known.find(orders.left(at));
      const auto right = known.find(orders.right(at));
      if (left == known.end()) open.push_back(orders.left(at));
      if (right == known.end()) open.push_back(orders.right(at));
      if (left == known.end() || right == known.end()) continue;
      const auto fresh = -1 - static_cast<std::int32_t>(combinations_.size());
      known[at] = combinations_.try_emplace({left->second, right->second}, fresh).first->second;
    }
    return known[order];
  }

  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> combinations_;
};

Sizes looked_at(const OrderQuestion& question, std::int64_t count, bool with_texts, Numbers& numbers) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 21;
  // An all-reduce cut into blocks leaves the results of all of them, each in an order of its own, on every rank.
  constexpr std::int64_t most_results = std::int64_t{1} << 22;
  Problem problem = question.problem;
  problem.count = count;
  const Choice choice = question.choice_for(problem);
  const std::int64_t results = problem.ranks * std::min<std::int64_t>(count, problem.ranks);
  if (effort_of(choice, problem, question.layout) > most_messages ||
      (problem.collective == Collective::all_reduce && results > most_results))
    return {count, count, choice, false};
  const auto [orders, turned] = orders_of(choice, problem, question.layout);
  Sizes found{count, count, choice, true, turned, numbers.of(orders)};
  for (const std::int32_t order : orders.distinct()) {
    if (with_texts) found.texts.push_back(orders.text(order));
    found.depth = std::max(found.depth, orders.depth(order));
  }
  return found;
}

}  // namespace

Orders orders_of(const Choice& choice, const Problem& problem, const Layout& layout) {
  constexpr std::int64_t many_messages = std::int64_t{1} << 18;  // a proof of as many is noticed
  check_size(choice, problem, layout);
  if (effort_of(choice, problem, layout) > many_messages) {
    const Progress progress = progress_bar("proving ranks", static_cast<std::size_t>(problem.ranks));
    const auto looks_at = [&](std::size_t rank) {
      if (progress && rank % 32 == 0) progress(rank);
    };
    auto first = CombiningOrder::of_first_block(choice, problem, layout, looks_at);
    if (progress) clear_progress_bar();
    if (first) return {*std::move(first), true};
  }
  return {CombiningOrder(record(choice, problem, layout))};
}

std::vector<Sizes> other_sizes(const OrderQuestion& question, bool with_texts) {
  std::vector<Sizes> found;
  if (!question.problem.counts.empty()) return found;
  const int step = question.problem.ranks > 64 ? 4 : 1;
  constexpr int most = 20;
  const Progress progress = progress_bar("trying sizes", static_cast<std::size_t>(most / step + 1));
  Numbers numbers;
  for (int power = 0; power <= most; power += step) {
    if (progress) progress(static_cast<std::size_t>(power / step));
    const std::int64_t count = std::int64_t{1} << power;
    Sizes next = looked_at(question, count, with_texts, numbers);
    if (!found.empty() && found.back().are_like(next)) {
      found.back().most = count;
    } else {
      found.push_back(std::move(next));
    }
  }
  if (progress) clear_progress_bar();
  return found;
}

}  // namespace tutti::app
