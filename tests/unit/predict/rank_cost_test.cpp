/// @file
/// Sketches of costs from messages alone, held against the costs of ranks.

#include "predict/sketch/rank_cost.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "predict/replay/rank_programs.hpp"
#include "support/sanitizers.hpp"

namespace tutti {
namespace {

constexpr double bytes_of_an_element = 8;

void expect_within_rank_cost(const LevelCosts& costs, const Choice& choice, const Problem& problem, int rank) {
  Program messages;
  record_rank(choice, problem, rank, messages, costs.layout(), Detail::messages);
  CompiledProgram compiled;
  RecordingContext context;
  RankPrograms(context, choice, problem, costs.layout()).compile(rank, compiled);
  const CostSketch sketch = sketch_of(costs, rank, messages, bytes_of_an_element, nullptr);
  const AcrossNodes across = bytes_across(costs, rank, messages, bytes_of_an_element);
  for (const int most_helped : {0, 1, problem.ranks}) {
    const RankCost cost = rank_cost_of(costs, rank, compiled, bytes_of_an_element, most_helped);
    const auto where = [&] {
      return testing::Message() << describe(problem) << " by " << choice.algorithm->name << ", rank " << rank
                                << " over " << costs.layout().nodes() << " nodes, " << most_helped << " helped";
    };
    EXPECT_LE(sketch.time, cost.time * (1 + 1e-12)) << where();
    EXPECT_LE(sketch.width, cost.width) << where();
    EXPECT_LE(sketch.turns, cost.turns) << where();
    EXPECT_EQ(sketch.sends, cost.sends) << where();
    EXPECT_EQ(sketch.receives, cost.receives) << where();
    EXPECT_EQ(across.out, cost.across.out) << where();
    EXPECT_EQ(across.in, cost.across.in) << where();
  }
}

void expect_within_rank_costs(const Layout& layout) {
  const LevelCosts costs(processes_costs, mpi_costs, layout);
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const std::int64_t count : {1, 50, 3000, 100'000}) {
      Problem problem{.collective = algorithm->collective, .ranks = layout.size(), .count = count, .distance = 1};
      if (problem.collective == Collective::barrier) problem.count = 0;
      if (unmet_need(*algorithm, problem, layout)) continue;
      for (int rank = 0; rank < problem.ranks; rank += 1 + rank / 3)
        expect_within_rank_cost(costs, *algorithm, problem, rank);
    }
  }
}

TEST(CostSketch, ShowsNoMoreThanTheRankCostHas) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  // Powers of two, too, for the algorithms that need one.
  for (const int ranks : {12, 16}) {
    std::vector<Location> dealt(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) dealt[static_cast<std::size_t>(rank)].node = rank % 3;
    const std::array<int, 3> nodes{3, 5, ranks - 8};
    for (const Layout& layout : {Layout::of_nodes(nodes), Layout(dealt)}) expect_within_rank_costs(layout);
  }
}

}  // namespace
}  // namespace tutti
