/// @file
/// Promises of the algorithms for all-to-all beyond their proof and their claims: who talks to whom, how large each
/// message is, how much scratch they take, what they copy.

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "algorithms/table.hpp"
#include "schedule/model/choice.hpp"
#include "support/traffic.hpp"
#include "tutti/error.hpp"

namespace tutti::algorithms {
namespace {

TEST(AllToAll, PairwiseMeetsRankXorJInStepJ) {
  for (int p = 1; p <= 32; p *= 2) {
    const Schedule schedule = schedule_of(all_to_all_pairwise, {.ranks = p, .count = 2});
    for (int rank = 0; rank < p; ++rank) {
      const std::vector<Sent> sends = sends_of(schedule, rank);
      ASSERT_EQ(sends.size(), static_cast<std::size_t>(p - 1));
      for (int j = 1; j < p; ++j) EXPECT_EQ(sends[static_cast<std::size_t>(j) - 1], (Sent{rank ^ j, 2}));
    }
  }
}

TEST(AllToAll, BruckSendsAcrossEveryBitTheSlotsThatHaveIt) {
  for (int p = 1; p <= largest_p; ++p) {
    const Schedule schedule = schedule_of(all_to_all_bruck, {.ranks = p, .count = 3});
    for (int rank = 0; rank < p; ++rank) {
      std::vector<Sent> expected;
      for (int k = 1; k < p; k *= 2) {
        int slots = 0;
        for (int i = 0; i < p; ++i) slots += (i & k) != 0 ? 1 : 0;
        expected.push_back({(rank + k) % p, 3 * slots});
      }
      EXPECT_EQ(sends_of(schedule, rank), expected);
    }
  }
}

TEST(AllToAll, HypercubeSendsHalfOfItsBlocksAcrossEveryDimension) {
  for (int d = 0; d <= 5; ++d) {
    const int p = 1 << d;
    const Schedule schedule = schedule_of(all_to_all_hypercube, {.ranks = p, .count = 3});
    for (int rank = 0; rank < p; ++rank) {
      std::vector<Sent> expected;
      for (int k = 1; k < p; k *= 2) expected.push_back({rank ^ k, 3 * p / 2});
      EXPECT_EQ(sends_of(schedule, rank), expected);
    }
  }
}

// The figure of the textbook has p = 6.
TEST(AllToAll, RingForwardsOneBlockLessInEveryStep) {
  for (int p = 1; p <= largest_p; ++p) {
    const Schedule schedule = schedule_of(all_to_all_ring, {.ranks = p, .count = 2});
    for (int rank = 0; rank < p; ++rank) {
      std::vector<Sent> expected;
      for (int k = 1; k < p; ++k) expected.push_back({(rank + 1) % p, 2 * (p - k)});
      EXPECT_EQ(sends_of(schedule, rank), expected);
    }
  }
}

TEST(AllToAll, BidirectionalRingMovesAQuarterOfPSquaredBlocksARank) {
  for (int p = 1; p <= largest_p; ++p) {
    const Schedule schedule = schedule_of(all_to_all_ring_bidirectional, {.ranks = p, .count = 2});
    expect_all_messages_go_one_link(schedule, [&](int a, int b) { return linked(Shape{p}, a, b); });
    for (int rank = 0; rank < p; ++rank) {
      const std::vector<Sent> sends = sends_of(schedule, rank);
      std::int64_t elements = 0;
      for (const Sent& sent : sends) elements += sent.elements;
      EXPECT_EQ(sends.size(), static_cast<std::size_t>(p - 1));
      EXPECT_EQ(elements, 2 * (p * p / 4));
    }
  }
}

TEST(AllToAll, MeshUsesMeshLinksOnly) {
  for (int side = 1; side <= 5; ++side) {
    const int p = side * side;
    const Schedule schedule = schedule_of(all_to_all_mesh, {.ranks = p, .count = 1});
    expect_all_messages_go_one_link(schedule, [&](int a, int b) { return linked(Shape{side, side}, a, b); });
    EXPECT_EQ(traffic_of(schedule).elements, std::int64_t{p} * p * (side - 1));
  }
}

// Scratch in blocks, at most; and no rearranging: the only copy is that of a rank's block for itself.
TEST(AllToAll, TakesTheScratchThatItPromisesAndCopiesItsOwnBlockOnly) {
  const auto check = [](const Algorithm& algorithm, int p, double scratch) {
    if (unmet_need(algorithm, {.collective = Collective::all_to_all, .ranks = p})) return;
    const Schedule schedule = schedule_of(algorithm, {.ranks = p, .count = 4});
    EXPECT_LE(static_cast<double>(largest_scratch(schedule)), 4 * std::max(scratch, 0.0)) << algorithm.name << " " << p;
    for (const Program& program : schedule.programs) EXPECT_EQ(copied_elements(program), 4) << algorithm.name;
  };
  for (int p = 1; p <= largest_p; ++p) {
    for (const Algorithm* direct : {&all_to_all_linear, &all_to_all_pairwise, &all_to_all_pairwise_modular}) {
      check(*direct, p, 0);
    }
    check(all_to_all_ring, p, 2 * p - 5);
    check(all_to_all_ring_bidirectional, p, p - 3);
    check(all_to_all_hypercube, p, 1.5 * p);
    check(all_to_all_bruck, p, 1.5 * p);
    const int columns = Shape::nearest_cube(p, 2).extent(1);
    check(all_to_all_tree, p, (columns + 0.5) * p);
  }
}

}  // namespace
}  // namespace tutti::algorithms
