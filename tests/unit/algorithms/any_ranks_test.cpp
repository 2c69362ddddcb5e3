/// @file
/// Algorithms that serve any number of ranks at the bound, or near it: proved, and as near to it as they claim.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/circulant.hpp"
#include "algorithms/table.hpp"
#include "schedule/model/choice.hpp"
#include "support/sanitizers.hpp"
#include "verify/verify.hpp"

namespace tutti::algorithms {
namespace {

constexpr int most_ranks = 128;

Problem problem_of(const Algorithm& algorithm, int p, std::int64_t count) {
  Problem problem{.collective = algorithm.collective, .ranks = p, .count = count};
  if (has_root(algorithm.collective)) problem.root = (5 * p) / 7;
  problem.commutative = !reduces(algorithm.collective);
  if (unmet_need(algorithm, problem)) problem.commutative = true;
  return problem;
}

void expect_proved(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters) {
  const Choice choice(algorithm, parameters);
  const Schedule schedule = record(choice, problem);
  const Proof proof = verify(schedule);
  ASSERT_TRUE(proof.proved()) << algorithm.name << ", " << describe(problem) << ": " << describe(*proof.failure);
  EXPECT_TRUE(proof.single_ported) << algorithm.name << ", " << describe(problem);
  EXPECT_EQ(traffic_of(schedule), choice.claims(problem)) << algorithm.name << ", " << describe(problem);
}

TEST(AnyRanks, ProvedForEveryNumber) {
  test::Sample sample;
  for (const Algorithm* algorithm : {&broadcast_n_block, &broadcast_two_tree, &reduce_n_block, &reduce_two_tree,
                                     &all_reduce_circulant, &all_reduce_two_tree, &all_gather_circulant,
                                     &reduce_scatter_circulant, &scan_dissemination, &exclusive_scan_123_doubling}) {
    for (int p = 1; p <= most_ranks; ++p) {
      if (!sample.takes_next()) continue;
      const std::int64_t count = has_blocks(algorithm->collective) ? 2 : p + 9;
      expect_proved(*algorithm, problem_of(*algorithm, p, count), {.segments = 1 + p % 9});
      if (HasFatalFailure()) return;
    }
  }
}

// p broadcasts at once are p times as much to prove.
TEST(AnyRanks, ProvedForManyNumbers) {
  for (const Algorithm* algorithm : {&all_gather_n_block, &reduce_scatter_n_block}) {
    for (const int p : {3, 7, 19, 20, 37, 50, 64, 67}) {
      expect_proved(*algorithm, problem_of(*algorithm, p, 6), {.segments = 1 + p % 6});
      if (HasFatalFailure()) return;
    }
  }
}

// The bounds of one-port ranks: n - 1 + ceil(log2 p) rounds for n segments, and p - 1 blocks in ceil(log2 p) rounds.
TEST(AnyRanks, TakeNoMoreRoundsThanTheyMust) {
  for (int p = 2; p <= 2048; ++p) {
    const Parameters parameters{.segments = 1 + p % 13};
    const Problem message{.collective = Collective::broadcast, .ranks = p, .count = 1000};
    EXPECT_EQ(broadcast_n_block.claims(message, parameters).rounds, parameters.segments - 1 + ceil_log2(p));
    EXPECT_LE(broadcast_two_tree.claims(message, parameters).rounds, parameters.segments - 1 + 2 * ceil_log2(p));
    const Problem blocks{.collective = Collective::all_gather, .ranks = p, .count = 3};
    EXPECT_EQ(all_gather_circulant.claims(blocks), all_gather_bruck.claims(blocks));
    const Problem whole{.collective = Collective::all_reduce, .ranks = p, .count = p};
    EXPECT_EQ(all_reduce_circulant.claims(whole), (Claims{.rounds = 2 * ceil_log2(p),
                                                          .messages = 2 * p * std::int64_t{ceil_log2(p)},
                                                          .elements = 2 * (p - 1) * std::int64_t{p}}));
  }
}

// The schedules of the n-block broadcast rest on this: in any q consecutive rounds a rank gets q segments that it does
// not have, and it is sent only what its sender has from earlier rounds.
TEST(Deliveries, AreNewAndAtHand) {
  for (const int p : {2, 3, 5, 8, 9, 17, 33, 66, 100, 255, 1000, 2048}) {
    const Skips skips(p);
    const int n = 3 * skips.rounds() + 1;
    std::vector<std::vector<int>> come(static_cast<std::size_t>(p), std::vector<int>(static_cast<std::size_t>(n), -1));
    for (int i = 0; i < n - 1 + skips.rounds(); ++i) {
      for (int v = 1; v < p; ++v) {
        const Deliveries deliveries(skips, v, n);
        const auto segment = deliveries.in_round(i);
        if (!segment) continue;
        auto& mine = come[static_cast<std::size_t>(v)][static_cast<std::size_t>(*segment)];
        EXPECT_EQ(mine, -1) << "rank " << v << " of " << p << " gets segment " << *segment << " twice";
        mine = i;
        const int from = modulo(v - skips[deliveries.skip_of(i)], p);
        if (from == 0) continue;
        const int had = come[static_cast<std::size_t>(from)][static_cast<std::size_t>(*segment)];
        EXPECT_TRUE(had >= 0 && had < i) << "rank " << from << " of " << p << " lacks segment " << *segment;
      }
      if (HasFailure()) return;
    }
    for (int v = 1; v < p; ++v) {
      for (const int i : come[static_cast<std::size_t>(v)]) EXPECT_GE(i, 0) << "rank " << v << " of " << p;
    }
  }
}

// The pattern of recursive doubling has a send each way between any two ranks that differ in one bit.
TEST(PrunedSends, AreThoseThatAScanLeavesOutOfItsPattern) {
  for (const Algorithm* algorithm : {&scan_recursive_doubling, &exclusive_scan_recursive_doubling}) {
    for (int p = 1; p <= 40; ++p) {
      const Schedule schedule = record(*algorithm, problem_of(*algorithm, p, 3));
      std::map<std::pair<int, int>, int> found;
      int pruned = 0;
      for (int rank = 0; rank < p; ++rank) {
        const Program& program = schedule.programs[static_cast<std::size_t>(rank)];
        for (const Op& op : program.ops) {
          if (op.kind == OpKind::send) ++found[{rank, op.peer}];
        }
        for (const PrunedSend& send : program.pruned) {
          ASSERT_LT(send.op, program.ops.size());
          ++found[{rank, send.to}];
          ++pruned;
        }
      }
      std::map<std::pair<int, int>, int> pattern;
      for (int rank = 0; rank < p; ++rank) {
        for (int bit = 1; bit < p; bit *= 2) {
          if ((rank ^ bit) < p) pattern[{rank, rank ^ bit}] = 1;
        }
      }
      EXPECT_EQ(found, pattern) << algorithm->name << ", p = " << p;
      const std::string listing = text_of(schedule);
      int said = 0;
      for (std::size_t at = listing.find("pruned"); at != std::string::npos; at = listing.find("pruned", at + 1))
        ++said;
      EXPECT_EQ(said, pruned);
      EXPECT_EQ(pruned > 0, p > 1);
    }
  }
}

}  // namespace
}  // namespace tutti::algorithms
