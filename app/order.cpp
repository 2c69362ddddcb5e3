#include "app/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/meaning.hpp"
#include "app/terminal.hpp"
#include "base/check.hpp"
#include "verify/order.hpp"

namespace tutti::app {
namespace {

using Runs = std::vector<std::pair<std::int64_t, std::int64_t>>;  // first element, count

// Ranks whose elements in the same places are combined in one order.
struct Group {
  std::int32_t order = 0;
  Runs elements;
  std::vector<int> ranks;
};

std::vector<Group> groups_of(const CombiningOrder& orders) {
  std::map<std::pair<std::int32_t, int>, Runs> places;
  for (const auto& [rank, first, count, order] : orders.results()) places[{order, rank}].emplace_back(first, count);
  std::vector<Group> groups;
  for (const std::int32_t order : orders.distinct()) {
    const std::size_t begin = groups.size();
    for (auto at = places.lower_bound({order, 0}); at != places.end() && at->first.first == order; ++at) {
      const auto same = std::find_if(groups.begin() + static_cast<std::ptrdiff_t>(begin), groups.end(),
                                     [&](const Group& group) { return group.elements == at->second; });
      if (same == groups.end()) {
        groups.push_back({order, at->second, {at->first.second}});
      } else {
        same->ranks.push_back(at->first.second);
      }
    }
  }
  return groups;
}

// All sizes of a range of powers of two that have the same orders, by the same choice.
struct Sizes {
  std::int64_t least = 0;
  std::int64_t most = 0;
  Choice choice;
  std::vector<std::string> orders;
  int depth = 0;
};

Sizes looked_at(const OrderQuestion& question, std::int64_t count) {
  Problem problem = question.problem;
  problem.count = count;
  const Choice choice = question.choice_for(problem);
  const CombiningOrder orders(record(choice, problem, question.layout));
  Sizes found{count, count, choice, {}, 0};
  for (const std::int32_t order : orders.distinct()) {
    found.orders.push_back(orders.text(order));
    found.depth = std::max(found.depth, orders.depth(order));
  }
  return found;
}

// From one element to 2^20; for many ranks every fourth power of two.
std::vector<Sizes> other_sizes(const OrderQuestion& question) {
  std::vector<Sizes> found;
  if (!question.problem.counts.empty()) return found;
  constexpr int many_ranks = 64;
  constexpr std::int64_t most = std::int64_t{1} << 20;
  const int factor = question.problem.ranks > many_ranks ? 16 : 2;
  for (std::int64_t count = 1; count <= most; count *= factor) {
    Sizes next = looked_at(question, count);
    if (!found.empty() && found.back().choice == next.choice && found.back().orders == next.orders) {
      found.back().most = count;
    } else {
      found.push_back(std::move(next));
    }
  }
  return found;
}

std::string runs_in_words(const Runs& runs) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> words;
  for (const auto& [first, count] : runs) {
    if (words.size() == most_named) {
      words.push_back(fmt::format("and {} runs more", runs.size() - most_named));
      break;
    }
    words.push_back(count == 1 ? fmt::format("{}", first) : fmt::format("{}..{}", first, first + count - 1));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string ranks_in_words(const std::vector<int>& ranks, int all) {
  if (static_cast<int>(ranks.size()) == all) return "all";
  Runs runs;
  for (const int rank : ranks) {
    if (!runs.empty() && runs.back().first + runs.back().second == rank) {
      ++runs.back().second;
    } else {
      runs.emplace_back(rank, 1);
    }
  }
  return runs_in_words(runs);
}

std::string results_text(const OrderQuestion& question, const CombiningOrder& orders,
                         const std::vector<Group>& groups) {
  const Problem& problem = question.problem;
  std::string text =
      fmt::format("{} by {}, {}\n", name_of(problem.collective), question.choice.algorithm->name, describe(problem));
  if (!question.why.empty()) text += screen_text(question.why);
  text += screen_text(
      fmt::format("Numbers are ranks, whose contributions are combined{}.",
                  problem.commutative ? "; a + b is b + a, whose bits are the same" : " in the order of ranks"));
  std::vector<std::vector<std::string>> rows{{"ELEMENTS", "ON RANKS", "IN A ROW", "ORDER"}};
  for (const Group& group : groups) {
    rows.push_back({runs_in_words(group.elements), ranks_in_words(group.ranks, problem.ranks),
                    fmt::format("{}", orders.depth(group.order)), orders.text(group.order)});
  }
  return text + '\n' + screen_table(rows);
}

std::string range_text(const Sizes& sizes) {
  return sizes.least == sizes.most ? fmt::format("{}", sizes.least) : fmt::format("{} to {}", sizes.least, sizes.most);
}

std::string sizes_text(const OrderQuestion& question, const std::vector<Sizes>& all) {
  if (all.empty()) return "";
  if (all.size() == 1)
    return '\n' + screen_text(fmt::format("The order is the same for every size, of powers of two to {} elements.",
                                          all.front().most));
  std::vector<std::vector<std::string>> rows{{"ELEMENTS", "ALGORITHM", "ORDERS", "IN A ROW"}};
  for (const Sizes& sizes : all) {
    rows.push_back({range_text(sizes), std::string(sizes.choice.algorithm->name),
                    fmt::format("{}", sizes.orders.size()), fmt::format("{}", sizes.depth)});
  }
  const std::string_view cause = question.why.empty() ? "segments and blocks" : "the choice, segments and blocks";
  return '\n' + screen_text(fmt::format("With other sizes {} change, and the bits with them:", cause)) +
         screen_table(rows);
}

Json tree_of(const CombiningOrder& orders, std::int32_t order) {
  if (orders.is_contribution(order)) return order;
  return Json::array({tree_of(orders, orders.left(order)), tree_of(orders, orders.right(order))});
}

Json order_json(const OrderQuestion& question, const CombiningOrder& orders, const std::vector<Group>& groups,
                const std::vector<Sizes>& all) {
  Json results = Json::array();
  for (const Group& group : groups) {
    Json elements = Json::array();
    for (const auto& [first, count] : group.elements) elements.push_back({{"first", first}, {"count", count}});
    results.push_back({{"ranks", group.ranks},
                       {"elements", elements},
                       {"depth", orders.depth(group.order)},
                       {"order", orders.text(group.order)},
                       {"tree", tree_of(orders, group.order)}});
  }
  Json sizes = Json::array();
  for (const Sizes& each : all) {
    const int segments = each.choice.parameters.segments;
    sizes.push_back({{"from_count", each.least},
                     {"to_count", each.most},
                     {"algorithm", each.choice.algorithm->name},
                     {"segments", segments == 0 ? Json(nullptr) : Json(segments)},
                     {"orders", each.orders},
                     {"depth", each.depth}});
  }
  return Json{{"collective", name_of(question.problem.collective)},
              {"algorithm", question.choice.algorithm->name},
              {"ranks", question.problem.ranks},
              {"count", question.problem.count},
              {"commutative", question.problem.commutative},
              {"results", results},
              {"sizes", sizes}};
}

}  // namespace

Outcome explain_order(const OrderQuestion& question, bool json) {
  const Problem& problem = question.problem;
  require(reduces(problem.collective),
          "{} combines nothing; --order is for reduce, all-reduce, reduce-scatter and scans",
          name_of(problem.collective));
  const CombiningOrder orders(record(question.choice, problem, question.layout));
  const std::vector<Group> groups = groups_of(orders);
  const std::vector<Sizes> all = other_sizes(question);
  if (json) return {order_json(question, orders, groups, all).dump(2) + '\n'};
  return {results_text(question, orders, groups) + sizes_text(question, all)};
}

}  // namespace tutti::app
