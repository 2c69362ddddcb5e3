/// @file
/// Algorithms for rings and tori: proved, and as near to the networks as they claim.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "algorithms/all_gather/all_gather.hpp"
#include "algorithms/all_reduce/all_reduce.hpp"
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "schedule/choice.hpp"
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

// How many links of a ring all messages cross together.
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

}  // namespace
}  // namespace tutti::algorithms
