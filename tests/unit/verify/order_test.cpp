/// @file
/// The orders of reductions: trees over exactly the contributions that are due, and those that real additions have.

#include "verify/order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/choice.hpp"
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

TEST(Order, IsThatOfNoWrongSchedule) {
  Schedule schedule = record(*algorithms::find(Collective::reduce, "binomial"),
                             {.collective = Collective::reduce, .ranks = 3, .count = 2});
  schedule.programs[1] = {};
  EXPECT_THROW(CombiningOrder{schedule}, Error);
}

}  // namespace
}  // namespace tutti::testing
