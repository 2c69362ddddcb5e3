#include "app/reports/explain/combining_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "verify/order.hpp"

namespace tutti::app {
namespace {

// The orders of all results, or of the first block alone, which all others are like, turned to other ranks.
struct Orders {
  CombiningOrder all;
  bool turned = false;
};

// All sizes of a range of powers of two with one algorithm and the same orders.
struct Sizes {
  std::int64_t least = 0;
  std::int64_t most = 0;
  const Algorithm* algorithm = nullptr;
  bool looked_at = true;  // false where that would take many seconds
  bool turned = false;
  std::vector<std::uint64_t> digests = {};  // digests of the distinct orders
  std::vector<std::string> texts = {};      // their texts, if they were asked for
  int depth = 0;

  bool have_orders_of(const Sizes& others) const {
    return looked_at == others.looked_at && turned == others.turned && digests == others.digests;
  }
};

std::int64_t effort_of(const Choice& choice, const Problem& problem, const Layout& layout) {
  return choice.algorithm->claims ? recorded_size(choice, problem, layout).effort() : 0;
}

// Returns the orders of the choice, proved; of the first block alone if all would take long.
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

Sizes sizes_of(const OrderQuestion& question, std::int64_t count, bool with_texts) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 21;
  // An all-reduce cut into blocks leaves the results of all of them, each in an order of its own, on every rank.
  constexpr std::int64_t most_results = std::int64_t{1} << 22;
  Problem problem = question.problem;
  problem.count = count;
  const Choice choice = question.choice_for(problem);
  const std::int64_t results = problem.ranks * std::min<std::int64_t>(count, problem.ranks);
  if (effort_of(choice, problem, question.layout) > most_messages ||
      (problem.collective == Collective::all_reduce && results > most_results))
    return {count, count, choice.algorithm, false};
  const auto [orders, turned] = orders_of(choice, problem, question.layout);
  Sizes found{count, count, choice.algorithm, true, turned};
  for (const std::int32_t order : orders.distinct()) {
    found.digests.push_back(orders.digest(order));
    if (with_texts) found.texts.push_back(orders.text(order));
    found.depth = std::max(found.depth, orders.depth(order));
  }
  return found;
}

// From one element to 2^20; for many ranks every fourth power of two. Nothing where blocks have counts.
std::vector<Sizes> other_sizes(const OrderQuestion& question, bool with_texts) {
  std::vector<Sizes> found;
  if (!question.problem.counts.empty()) return found;
  const int step = question.problem.ranks > 64 ? 4 : 1;
  constexpr int most = 20;
  const Progress progress = progress_bar("trying sizes", static_cast<std::size_t>(most / step + 1));
  for (int power = 0; power <= most; power += step) {
    if (progress) progress(static_cast<std::size_t>(power / step));
    Sizes next = sizes_of(question, std::int64_t{1} << power, with_texts);
    if (!found.empty() && found.back().algorithm == next.algorithm && found.back().have_orders_of(next)) {
      found.back().most = next.most;
    } else {
      found.push_back(std::move(next));
    }
  }
  if (progress) clear_progress_bar();
  return found;
}

using ElementRuns = std::vector<std::pair<std::int64_t, std::int64_t>>;  // first element, count

// Ranks whose elements in the same places are combined in one order.
struct Group {
  std::int32_t order = 0;
  ElementRuns elements;
  std::vector<int> ranks;
};

std::vector<Group> groups_of(const CombiningOrder& orders) {
  std::map<std::pair<std::int32_t, int>, ElementRuns> places;
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

std::string runs_in_words(const ElementRuns& runs) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> words;
  for (const auto& [first, count] : runs) {
    if (words.size() == most_named) {
      words.push_back(fmt::format("and {} more", counted(static_cast<std::int64_t>(runs.size() - most_named), "run")));
      break;
    }
    words.push_back(count == 1 ? fmt::format("{}", first) : fmt::format("{}..{}", first, first + count - 1));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string ranks_in_words(const std::vector<int>& ranks, int all) {
  if (static_cast<int>(ranks.size()) == all) return "all";
  ElementRuns runs;
  for (const int rank : ranks) {
    if (!runs.empty() && runs.back().first + runs.back().second == rank) {
      ++runs.back().second;
    } else {
      runs.emplace_back(rank, 1);
    }
  }
  return runs_in_words(runs);
}

constexpr int most_terms = 32;  // terms of an order that is written in full
constexpr int few_terms = 8;    // terms of a longer one

bool is_long(const CombiningOrder& orders, const Group& group) {
  return orders.contributions(group.order) > most_terms;
}

std::string results_text(const OrderQuestion& question, const Orders& found, const std::vector<Group>& groups) {
  const CombiningOrder& orders = found.all;
  const Problem& problem = question.problem;
  std::string text = screen_text(
      fmt::format("{} by {}, {}", name_of(problem.collective), question.choice.algorithm->name, describe(problem)));
  if (!question.why.empty()) text += screen_text(question.why);
  text += screen_text(
      fmt::format("Numbers are ranks, whose contributions are combined{}.",
                  problem.commutative ? "; a + b is b + a, whose bits are the same" : " in the order of ranks"));
  if (std::any_of(groups.begin(), groups.end(), [&](const Group& group) { return is_long(orders, group); }))
    text += screen_text("Those in braces are combined first, in an order that has no room here.");
  if (found.turned)
    text +=
        screen_text(fmt::format("All blocks are combined as the first one, on all ranks alike: for block b, add b to "
                                "every number, modulo {}.",
                                problem.ranks));
  constexpr std::size_t most_rows = 32;
  std::vector<std::vector<std::string>> rows{{"ELEMENTS", "ON RANKS", "IN A ROW", "ORDER"}};
  for (const Group& group : std::span(groups).first(std::min(groups.size(), most_rows))) {
    const bool on_all = found.turned && problem.collective == Collective::all_reduce;
    rows.push_back({runs_in_words(group.elements), on_all ? "all" : ranks_in_words(group.ranks, problem.ranks),
                    fmt::format("{}", orders.depth(group.order)),
                    orders.text(group.order, is_long(orders, group) ? few_terms : 0)});
  }
  text += '\n' + (groups.empty() ? "No element is combined.\n" : screen_table(rows));
  if (groups.size() > most_rows) text += fmt::format("and {} more\n", groups.size() - most_rows);
  return text;
}

std::string range_text(const Sizes& sizes) {
  return sizes.least == sizes.most ? fmt::format("{}", sizes.least) : fmt::format("{} to {}", sizes.least, sizes.most);
}

// Returns the sentence about changes with the size, above a table of several rows.
std::string change_in_words(const OrderQuestion& question, const std::vector<Sizes>& all) {
  const bool stay = std::all_of(
      all.begin(), all.end(), [&](const Sizes& sizes) { return sizes.looked_at && sizes.have_orders_of(all.front()); });
  if (stay) return "With other sizes the choice changes, and the orders stay as they are:";
  return fmt::format("With other sizes {} change, and the bits with them:",
                     question.why.empty() ? "segments and blocks" : "the choice, segments and blocks");
}

std::string sizes_text(const OrderQuestion& question, const std::vector<Sizes>& all) {
  if (all.empty()) return "";
  if (all.size() == 1) {
    if (!all.front().looked_at)
      return '\n' + screen_text("Other sizes are too large to be looked at, too; --count asks for one of them.");
    return '\n' + screen_text(fmt::format(
                      "{} for every size, of powers of two to {} elements.",
                      all.front().turned ? "Each block is combined in the same order" : "The order is the same",
                      all.front().most));
  }
  std::vector<std::vector<std::string>> rows{{"ELEMENTS", "ALGORITHM", "ORDERS", "IN A ROW"}};
  for (const Sizes& sizes : all) {
    const std::string orders = sizes.turned ? "one a block" : fmt::format("{}", sizes.digests.size());
    rows.push_back({range_text(sizes), std::string(sizes.algorithm->name),
                    sizes.looked_at ? orders : "too large to be looked at",
                    sizes.looked_at ? fmt::format("{}", sizes.depth) : ""});
  }
  return '\n' + screen_text(change_in_words(question, all)) + screen_table(rows);
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
    if (!each.looked_at) continue;
    sizes.push_back({{"from_count", each.least},
                     {"to_count", each.most},
                     {"algorithm", each.algorithm->name},
                     {"orders", each.texts},
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

// A tree is written with a line a contribution, indented by its depth.
void check_json_size(const OrderQuestion& question, const Orders& orders, const std::vector<Group>& groups) {
  constexpr std::int64_t most_letters = std::int64_t{1} << 26;
  std::int64_t letters = 0;
  for (const Group& group : groups)
    letters += std::int64_t{orders.all.contributions(group.order)} * orders.all.depth(group.order);
  if (!orders.turned && letters <= most_letters) return;
  const Problem& problem = question.problem;
  fail(ErrorCode::unsupported,
       "the orders of {} by {} over {} ranks are too long for JSON; leave out --json, which "
       "names what is combined first as a set, or take fewer ranks",
       name_of(problem.collective), question.choice.algorithm->name, problem.ranks);
}

}  // namespace

Outcome explain_order(const OrderQuestion& question, bool json) {
  const Problem& problem = question.problem;
  require(reduces(problem.collective),
          "{} combines nothing; --order is for reduce, all-reduce, reduce-scatter and scans",
          name_of(problem.collective));
  const Orders orders = orders_of(question.choice, problem, question.layout);
  const std::vector<Group> groups = groups_of(orders.all);
  if (json) {
    check_json_size(question, orders, groups);
    return {order_json(question, orders.all, groups, other_sizes(question, true)).dump(2) + '\n'};
  }
  return {results_text(question, orders, groups) + sizes_text(question, other_sizes(question, false))};
}

}  // namespace tutti::app
