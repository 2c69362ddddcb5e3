/// @file
/// Promises of the shifts beyond their proof and their claims: which links they use, in how many steps.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "algorithms/table.hpp"
#include "support/traffic.hpp"
#include "verify/verify.hpp"

namespace tutti::algorithms {
namespace {

// The node of the hypercube that a rank of the ring lies on.
unsigned gray(int rank) { return static_cast<unsigned>(rank ^ (rank >> 1)); }

TEST(Shift, RingGoesTheShorterWayByNeighbourSteps) {
  for (int p = 1; p <= largest_p; ++p) {
    for (int q = 0; q < p; ++q) {
      const Schedule schedule = schedule_of(shift_ring, {.ranks = p, .count = 1, .distance = q});
      expect_all_messages_go_one_link(schedule, [&](int a, int b) { return linked(Shape{p}, a, b); });
      EXPECT_EQ(traffic_of(schedule).rounds, std::min(q, p - q));
    }
  }
}

TEST(Shift, MeshUsesMeshLinksOnlyAndKeepsTheTextbookBound) {
  for (int side = 1; side <= 7; ++side) {
    const int p = side * side;
    for (int q = 0; q < p; ++q) {
      const Schedule schedule = schedule_of(shift_mesh, {.ranks = p, .count = 1, .distance = q});
      expect_all_messages_go_one_link(schedule, [&](int a, int b) { return linked(Shape{side, side}, a, b); });
      EXPECT_LE(traffic_of(schedule).rounds, side + 1) << describe(schedule.problem);
    }
  }
}

TEST(Shift, MeshUsesLinksOfAnyGrid) {
  for (const Shape& grid : {Shape{1, 7}, Shape{5, 1}, Shape{3, 5}, Shape{2, 8}, Shape{3, 2, 4}, Shape{2, 1, 3, 2}}) {
    for (int q = 0; q < grid.size(); ++q) {
      const Schedule schedule =
          schedule_of({shift_mesh, {.grid = grid}}, {.ranks = grid.size(), .count = 1, .distance = q});
      expect_all_messages_go_one_link(schedule, [&](int a, int b) { return linked(grid, a, b); });
      EXPECT_TRUE(verify(schedule).proved());
    }
  }
}

// The figure of the textbook: a row shift, a compensating step of the first column, a column shift.
TEST(Shift, FiveShiftOnTheFourByFourMeshIsTheTextbooks) {
  const Schedule schedule = schedule_of(shift_mesh, {.ranks = 16, .count = 1, .distance = 5});
  EXPECT_EQ(traffic_of(schedule), (Traffic{.rounds = 3, .messages = 16 + 4 + 16, .elements = 36}));
  EXPECT_EQ(sends_of(schedule, 8), (std::vector<Sent>{{9, 1}, {12, 1}, {12, 1}}));
  EXPECT_EQ(sends_of(schedule, 15), (std::vector<Sent>{{12, 1}, {3, 1}}));
}

TEST(Shift, GrayCodeStopsAreHypercubeNeighbours) {
  for (int d = 0; d <= 6; ++d) {
    const int p = 1 << d;
    for (int q = 0; q < p; ++q) {
      const Schedule schedule = schedule_of(shift_gray_code, {.ranks = p, .count = 1, .distance = q});
      expect_all_messages_go_one_link(schedule, [](int a, int b) { return std::popcount(gray(a) ^ gray(b)) == 1; });
      EXPECT_LE(traffic_of(schedule).rounds, std::max(0, 2 * d - 1)) << describe(schedule.problem);
    }
  }
}

TEST(Shift, FiveShiftOnTheEightNodeHypercubeIsAFourShiftThenAOneShift) {
  const Schedule schedule = schedule_of(shift_gray_code, {.ranks = 8, .count = 1, .distance = 5});
  EXPECT_EQ(sends_of(schedule, 0), (std::vector<Sent>{{3, 1}, {7, 1}, {1, 1}}));
  EXPECT_EQ(traffic_of(schedule).rounds, 3);
}

TEST(Shift, TakesTwoBlocksOfScratchAtMost) {
  for (int p = 1; p <= largest_p; ++p) {
    for (int q = 0; q < p; ++q) {
      for (const Algorithm* algorithm : {&shift_direct, &shift_ring, &shift_mesh, &shift_gray_code}) {
        const Problem problem{.collective = Collective::shift, .ranks = p, .count = 4, .distance = q};
        if (unmet_need(*algorithm, problem)) continue;
        EXPECT_LE(largest_scratch(record(*algorithm, problem)), algorithm == &shift_direct ? 0 : 2 * 4);
      }
    }
  }
}

}  // namespace
}  // namespace tutti::algorithms
