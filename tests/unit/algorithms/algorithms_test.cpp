/// @file
/// Promises of the scans, all-reduces and barriers beyond their proof and their claims: how much scratch they take,
/// what they copy, who talks to whom. And the claims of shifts and all-to-alls for counts that differ.

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/model/choice.hpp"
#include "support/traffic.hpp"
#include "verify/verify.hpp"

namespace tutti::algorithms {
namespace {

TEST(Scan, TakesTheScratchThatItPromises) {
  for (int p = 1; p <= largest_p; ++p) {
    for (const bool in_place : {false, true}) {
      const Problem problem{.ranks = p, .count = 4, .commutative = false, .in_place = in_place};
      EXPECT_EQ(largest_scratch(schedule_of(scan_chain, problem)), 0);
      EXPECT_LE(largest_scratch(schedule_of(scan_recursive_doubling, problem)), 2 * 4);
      EXPECT_LE(largest_scratch(schedule_of(exclusive_scan_chain, problem)), 4);
      EXPECT_LE(largest_scratch(schedule_of(exclusive_scan_recursive_doubling, problem)), (in_place ? 3 : 2) * 4);
      // Halves of a count that is no power of two may be one element larger, on each way.
      const std::int64_t places = (is_power_of_two(p) ? (in_place ? 3 : 2) : 4) * 64 + 2 * floor_log2(p);
      const Problem parted{.ranks = p, .count = 64, .commutative = false, .in_place = in_place};
      EXPECT_LE(largest_scratch(schedule_of(scan_halving, parted)), places);
      EXPECT_LE(largest_scratch(schedule_of(exclusive_scan_halving, parted)), places);
    }
  }
}

TEST(Scan, CopiesAreWhereTheCommentsSay) {
  for (int p = 2; p <= largest_p; ++p) {
    for (int rank = 0; rank < p; ++rank) {
      const auto copied = [&](const Algorithm& algorithm, bool in_place) {
        const Problem problem{.ranks = p, .count = 4, .commutative = false, .in_place = in_place};
        return copied_elements(schedule_of(algorithm, problem).programs[static_cast<std::size_t>(rank)]);
      };
      EXPECT_EQ(copied(scan_recursive_doubling, false), rank == 0 ? 4 : 0);
      EXPECT_EQ(copied(scan_recursive_doubling, true), 0);
      EXPECT_EQ(copied(exclusive_scan_recursive_doubling, false), 0);
      EXPECT_EQ(copied(exclusive_scan_recursive_doubling, true), rank == 1 && p > 2 ? 4 : 0);
    }
  }
}

// The result is complete when it arrives, so that rank 0's output may keep what it holds.
TEST(Scan, ExclusiveScanLeavesTheOutputOfRankZeroAlone) {
  for (const Algorithm* algorithm :
       {&exclusive_scan_chain, &exclusive_scan_recursive_doubling, &exclusive_scan_halving}) {
    for (int p = 1; p <= largest_p; ++p) {
      for (const bool in_place : {false, true}) {
        const Schedule schedule = schedule_of(*algorithm, {.ranks = p, .count = 2, .in_place = in_place});
        const Program& first = schedule.programs.front();
        for (const Op& op : first.ops) {
          if (op.kind == OpKind::send) continue;
          for (const Slice& slice : first.slices(op)) EXPECT_NE(slice.buffer, Buffer::output) << algorithm->name;
        }
      }
    }
  }
}

TEST(AllReduce, RecursiveDoublingCopiesOnlyInPlaceWithAnOddNumberOfRounds) {
  for (int p = 2; p <= largest_p; ++p) {
    const int d = floor_log2(p);
    const int folded = p - (1 << d);
    for (const bool in_place : {false, true}) {
      const Schedule schedule = schedule_of(all_reduce_recursive_doubling,
                                            {.ranks = p, .count = 4, .commutative = false, .in_place = in_place});
      EXPECT_LE(largest_scratch(schedule), 4);
      for (int rank = 0; rank < p; ++rank) {
        const bool copies = in_place && d % 2 == 1 && rank >= 2 * folded;
        EXPECT_EQ(copied_elements(schedule.programs[static_cast<std::size_t>(rank)]), copies ? 4 : 0);
      }
    }
  }
}

TEST(AllReduce, RecursiveDoublingAndRabenseifnerUseHypercubeLinks) {
  for (int p = 1; p <= 64; p *= 2) {
    for (const Algorithm* algorithm : {&all_reduce_recursive_doubling, &all_reduce_rabenseifner}) {
      expect_all_messages_go_one_link(schedule_of(*algorithm, {.ranks = p, .count = 2 * p}),
                                      [](int a, int b) { return std::popcount(static_cast<unsigned>(a ^ b)) == 1; });
    }
  }
}

TEST(Barrier, DisseminationSignalsAtDoublingDistances) {
  for (int p = 1; p <= largest_p; ++p) {
    const Schedule schedule = schedule_of(barrier_dissemination, {.ranks = p});
    for (int rank = 0; rank < p; ++rank) {
      std::vector<Sent> expected;
      for (int distance = 1; distance < p; distance *= 2) expected.push_back({(rank + distance) % p, 0});
      EXPECT_EQ(sends_of(schedule, rank), expected);
    }
  }
}

// Claims are exact for counts that differ, too, as long as no block is empty.
TEST(Claims, AreExactForUnevenCounts) {
  constexpr unsigned seed = 20031;
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int64_t> any_count(1, 9);
  const std::vector<const Algorithm*> algorithms{
      &shift_direct,    &shift_ring,       &shift_mesh,           &shift_gray_code,
      &all_to_all_ring, &all_to_all_tree,  &all_to_all_hypercube, &all_to_all_ring_bidirectional,
      &all_to_all_mesh, &all_to_all_bruck, &all_to_all_linear,    &all_to_all_pairwise_modular,
  };
  for (int p = 1; p <= 20; ++p) {
    for (const Algorithm* algorithm : algorithms) {
      Problem problem{.collective = algorithm->collective, .ranks = p, .distance = 3 * p / 4};
      problem.counts.resize(static_cast<std::size_t>(algorithm->collective == Collective::shift ? p : p * p));
      for (std::int64_t& count : problem.counts) count = any_count(random);
      if (unmet_need(*algorithm, problem)) continue;
      const Schedule schedule = record(*algorithm, problem);
      EXPECT_EQ(traffic_of(schedule), algorithm->claims(problem))
          << algorithm->name << ", p " << p << ", seed " << seed;
      EXPECT_TRUE(verify(schedule).proved()) << algorithm->name << ", p " << p << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace tutti::algorithms
