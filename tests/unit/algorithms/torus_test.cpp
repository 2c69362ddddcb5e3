/// @file
/// Algorithms for rings and tori: proved, and as near to the networks as they claim.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "algorithms/table.hpp"
#include "schedule/model/choice.hpp"
#include "unit/algorithms/proved.hpp"

namespace tutti::algorithms {
namespace {

TEST(Bine, ProvedForEveryPowerOfTwo) {
  for (const Algorithm* algorithm :
       {&broadcast_bine, &reduce_bine, &all_gather_bine, &reduce_scatter_bine, &all_reduce_bine}) {
    for (int p = 1; p <= (has_root(algorithm->collective) ? 256 : 64); p *= 2) {
      const Problem problem{.collective = algorithm->collective,
                            .ranks = p,
                            .count = p,
                            .root = has_root(algorithm->collective) ? p / 3 : 0};
      expect_proved_as_claimed(*algorithm, problem);
      if (HasFatalFailure()) return;
    }
  }
}

// Returns how many links of a ring all messages cross together.
std::int64_t links_crossed(const Algorithm& algorithm, int p) {
  const Schedule schedule = record(algorithm, Problem{.collective = algorithm.collective, .ranks = p, .count = 1});
  std::int64_t links = 0;
  for (int rank = 0; rank < p; ++rank) {
    for (const Op& op : schedule.programs[static_cast<std::size_t>(rank)].ops) {
      const int apart = std::abs(op.peer - rank);
      if (op.kind == OpKind::send) links += std::min(apart, p - apart);
    }
  }
  return links;
}

TEST(Bine, CrossesAThirdFewerLinksOfARing) {
  for (const int p : {64, 256, 1024}) {
    EXPECT_LT(links_crossed(broadcast_bine, p), 0.71 * static_cast<double>(links_crossed(broadcast_binomial, p))) << p;
  }
}

const std::vector<Shape> grids{{1, 1}, {1, 5}, {2, 2}, {3, 3}, {2, 3}, {4, 4}, {3, 5}, {2, 2, 2}, {3, 3, 3}, {2, 3, 4}};

TEST(MultiPort, ProvedOnEveryTorus) {
  for (const Algorithm* algorithm :
       {&all_gather_mesh_multi_port, &reduce_scatter_mesh_multi_port, &all_reduce_mesh_multi_port}) {
    for (const Shape& grid : grids) {
      const std::int64_t each = has_blocks(algorithm->collective) ? 1 : grid.size();
      for (const std::int64_t count : {each, 3 * each, 7 * each}) {
        expect_proved_as_claimed({*algorithm, {.grid = grid}},
                                 {.collective = algorithm->collective, .ranks = grid.size(), .count = count});
        if (HasFatalFailure()) return;
      }
    }
  }
}

// On a torus of equal extents each rank sends to each of its neighbours once in every step.
TEST(MultiPort, UsesEveryLinkInEveryStep) {
  for (const Shape& grid : {Shape{3, 3}, Shape{4, 4}, Shape{3, 3, 3}}) {
    const auto links = static_cast<std::size_t>(2 * grid.dimensions());
    const Problem problem{.collective = Collective::all_gather, .ranks = grid.size(), .count = 12};
    for (const Program& program : record({all_gather_mesh_multi_port, {.grid = grid}}, problem).programs) {
      for (std::size_t begin = 0; begin < program.ops.size(); begin = program.step_end(begin)) {
        std::set<int> served;
        for (std::size_t at = begin; at < program.step_end(begin); ++at) {
          if (program.ops[at].kind != OpKind::send) continue;
          EXPECT_TRUE(served.insert(program.ops[at].peer).second);
        }
        EXPECT_EQ(served.size(), links);
      }
    }
  }
}

TEST(SwingMultiPort, ProvedOnEveryTorus) {
  for (const Shape& grid :
       {Shape{1}, Shape{2}, Shape{8}, Shape{2, 2}, Shape{4, 4}, Shape{2, 8}, Shape{8, 2}, Shape{1, 4}, Shape{8, 8},
        Shape{2, 2, 2}, Shape{4, 4, 4}, Shape{2, 4, 8}, Shape{2, 2, 2, 2}}) {
    const int p = grid.size();
    for (const bool in_place : {false, true}) {
      for (const int times : {1, 3, 9}) {
        expect_proved_as_claimed(
            {all_reduce_swing_multi_port, {.grid = grid}},
            {.collective = Collective::all_reduce, .ranks = p, .count = times * p, .in_place = in_place});
        if (HasFatalFailure()) return;
      }
      for (const int count : {0, 1, p - 1, 5 * p + 3}) {
        const Problem problem{.collective = Collective::all_reduce, .ranks = p, .count = count, .in_place = in_place};
        EXPECT_TRUE(verify(record({all_reduce_swing_multi_port, {.grid = grid}}, problem)).proved())
            << describe(problem);
      }
    }
  }
}

// Partners differ in one coordinate, and are never farther than a third of the swings' 2^s.
TEST(SwingMultiPort, SwingsAlongOneDimensionAtATime) {
  const Shape grid{8, 4};
  const Problem problem{.collective = Collective::all_reduce, .ranks = 32, .count = 32 * 4};
  const Schedule schedule = record({all_reduce_swing_multi_port, {.grid = grid}}, problem);
  for (int rank = 0; rank < 32; ++rank) {
    for (const Op& op : schedule.programs[static_cast<std::size_t>(rank)].ops) {
      if (op.kind != OpKind::send) continue;
      const bool same_row = grid.coordinate(rank, 0) == grid.coordinate(op.peer, 0);
      const bool same_column = grid.coordinate(rank, 1) == grid.coordinate(op.peer, 1);
      EXPECT_NE(same_row, same_column) << rank << " to " << op.peer;
    }
  }
}

}  // namespace
}  // namespace tutti::algorithms
