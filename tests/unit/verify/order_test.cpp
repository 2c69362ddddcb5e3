/// @file
/// The orders of reductions: trees over exactly the contributions that are due, and those that real additions have.

#include "verify/order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"
#include "tutti/error.hpp"

namespace tutti::testing {
namespace {

std::vector<int> leaves(const CombiningOrder& orders, std::int32_t order) {
  if (orders.is_contribution(order)) return {order};
  std::vector<int> found = leaves(orders, orders.left(order));
  const std::vector<int> right = leaves(orders, orders.right(order));
  found.insert(found.end(), right.begin(), right.end());
  return found;
}

// The ranks that contribute to what `rank` has at the end.
std::vector<int> due(const Problem& problem, int rank) {
  const int end = problem.collective == Collective::scan             ? rank + 1
                  : problem.collective == Collective::exclusive_scan ? rank
                                                                     : problem.ranks;
  std::vector<int> ranks(static_cast<std::size_t>(end));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

int height(const CombiningOrder& orders, std::int32_t order) {
  if (orders.is_contribution(order)) return 0;
  return 1 + std::max(height(orders, orders.left(order)), height(orders, orders.right(order)));
}

TEST(Order, HasEveryContributionOnceAndInOrderWhereThatMatters) {
  int results = 0;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    if (!reduces(algorithm->collective)) continue;
    for (const int ranks : {1, 2, 3, 5, 8, 9}) {
      algorithms::for_each_case(*algorithm, ranks, [&](const Problem& problem, const Parameters& parameters) {
        const CombiningOrder orders(record({*algorithm, parameters}, problem));
        for (const auto& [rank, first, count, order] : orders.results()) {
          ++results;
          EXPECT_GT(count, 0);
          std::vector<int> found = leaves(orders, order);
          if (problem.commutative) std::sort(found.begin(), found.end());
          ASSERT_EQ(found, due(problem, rank)) << algorithm->name << ", " << describe(problem);
          ASSERT_EQ(orders.depth(order), height(orders, order));
        }
      });
    }
  }
  EXPECT_GT(results, 10000);
}

std::vector<std::string> texts(std::string_view name, const Problem& problem) {
  const CombiningOrder orders(record(algorithms::fitting(problem, name), problem));
  std::vector<std::string> found;
  for (const std::int32_t order : orders.distinct()) found.push_back(orders.text(order));
  return found;
}

// A ring's block begins with the rank after the one that has its result at the end of the reduce-scatter.
TEST(Order, OfARingIsAChainThatBeginsElsewhereInEachBlock) {
  EXPECT_THAT(texts("ring", {.collective = Collective::all_reduce, .ranks = 4, .count = 4}),
              ::testing::ElementsAre("(0 + (1 + (2 + 3)))", "(((0 + 3) + 2) + 1)", "(((0 + 1) + 3) + 2)",
                                     "((0 + (1 + 2)) + 3)"));
  EXPECT_THAT(texts("recursive-doubling", {.collective = Collective::all_reduce, .ranks = 4, .count = 9}),
              ::testing::ElementsAre("((0 + 1) + (2 + 3))"));
  EXPECT_THAT(texts("chain", {.collective = Collective::scan, .ranks = 3, .count = 2, .commutative = false}),
              ::testing::ElementsAre("0", "(0 + 1)", "((0 + 1) + 2)"));
}

TEST(Order, OfASegmentIsThatOfItsTree) {
  const Problem problem{.collective = Collective::all_reduce, .ranks = 6, .count = 6};
  const CombiningOrder orders(record({algorithms::fitting(problem, "two-tree"), {.segments = 3}}, problem));
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;
  for (const auto& [rank, first, count, order] : orders.results()) {
    if (rank == 5) runs.emplace_back(first, count);
  }
  EXPECT_EQ(runs, (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 2}, {2, 2}, {4, 2}}));
  EXPECT_EQ(orders.distinct().size(), 2U);
}

// "((0 + 1) + 2)" with `turn` added to every rank, the lower rank first.
std::string turned_text(const CombiningOrder& orders, std::int32_t order, int turn, int ranks) {
  struct Part {
    std::string text;
    int lowest = 0;
  };
  const std::function<Part(std::int32_t)> part = [&](std::int32_t at) -> Part {
    if (orders.is_contribution(at)) return {std::to_string((at + turn) % ranks), (at + turn) % ranks};
    Part left = part(orders.left(at));
    Part right = part(orders.right(at));
    if (right.lowest < left.lowest) std::swap(left, right);
    return {"(" + left.text + " + " + right.text + ")", left.lowest};
  };
  return part(order).text;
}

TEST(Order, OfTheFirstBlockTurnedIsThatOfTheOthers) {
  int found = 0;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    if (!reduces(algorithm->collective)) continue;
    for (const int ranks : {2, 3, 6, 8}) {
      algorithms::for_each_case(*algorithm, ranks, [&](const Problem& problem, const Parameters& parameters) {
        const Choice choice{*algorithm, parameters};
        const auto first = CombiningOrder::of_first_block(choice, problem);
        if (!first) return;
        const CombiningOrder all(record(choice, problem));
        const Blocks blocks = all_blocks(problem);
        for (const auto& [rank, begin, count, order] : all.results()) {
          for (int block = 0; block < ranks; ++block) {
            const bool scattered = problem.collective == Collective::reduce_scatter;
            const bool in_block =
                scattered ? rank == block : blocks.first(block) <= begin && begin < blocks.first(block + 1);
            if (!in_block) continue;
            ++found;
            ASSERT_EQ(all.text(order), turned_text(*first, first->results().front().order, block, ranks))
                << algorithm->name << ", " << describe(problem) << ", block " << block;
          }
        }
      });
    }
  }
  EXPECT_GT(found, 1000);
}

TEST(Order, OfManyRanksNamesWhatIsInnermostAsASet) {
  const auto text = [](std::string_view name, const Problem& problem, int most_terms) {
    const CombiningOrder orders(record(algorithms::fitting(problem, name), problem));
    return orders.text(orders.distinct().back(), most_terms);
  };
  const Problem sixteen{.collective = Collective::all_reduce, .ranks = 16, .count = 16};
  EXPECT_EQ(text("ring", sixteen, 3), "((0 + {1..14}) + 15)");
  EXPECT_EQ(text("recursive-doubling", sixteen, 4), "(({0..3} + {4..7}) + ({8..11} + {12..15}))");
  const Problem three{.collective = Collective::scan, .ranks = 3, .count = 1};
  EXPECT_EQ(text("chain", three, 3), "((0 + 1) + 2)");
  EXPECT_EQ(text("chain", three, 2), "({0..1} + 2)");
}

TEST(Order, IsThatOfNoWrongSchedule) {
  Schedule schedule = record(*algorithms::find(Collective::reduce, "binomial"),
                             {.collective = Collective::reduce, .ranks = 3, .count = 2});
  schedule.programs[1] = {};
  EXPECT_THROW(CombiningOrder{schedule}, Error);
}

}  // namespace
}  // namespace tutti::testing
