/// @file
/// Algorithms with a radix: proved for many of them, and what they are at its ends.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "algorithms/digits.hpp"
#include "algorithms/table.hpp"
#include "schedule/model/choice.hpp"
#include "support/sanitizers.hpp"
#include "unit/algorithms/proved.hpp"

namespace tutti::algorithms {
namespace {

Problem problem_of(const Algorithm& algorithm, int p) {
  Problem problem{.collective = algorithm.collective, .ranks = p, .count = 2};
  if (has_root(algorithm.collective)) problem.root = (5 * p) / 7;
  problem.commutative = !reduces(algorithm.collective);
  if (unmet_need(algorithm, problem)) problem.commutative = true;
  return problem;
}

TEST(Radix, ProvedForManyNumbersAndRadixes) {
  test::Sample sample;
  for (const Algorithm* algorithm :
       {&broadcast_k_nomial, &reduce_k_nomial, &scatter_k_nomial, &gather_k_nomial, &all_reduce_recursive_multiplying,
        &all_gather_k_ring, &all_gather_k_bruck, &all_gather_pat, &reduce_scatter_k_ring, &reduce_scatter_pat,
        &all_to_all_k_bruck}) {
    const int most = has_blocks(algorithm->collective) && !has_root(algorithm->collective) ? 32 : 128;
    for (int p = 1; p <= most; p += 1 + p / 11) {
      if (sample.takes_next()) expect_proved_as_claimed({*algorithm, {.radix = 2 + p % 8}}, problem_of(*algorithm, p));
      if (HasFatalFailure()) return;
    }
  }
}

Claims claims_of(const Algorithm& algorithm, int p, int radix) {
  return Choice(algorithm, {.radix = radix}).claims(problem_of(algorithm, p));
}

TEST(Radix, OfTwoIsWhatDoublesAndOfAllRanksWhatGoesStraight) {
  for (int p = 2; p <= 70; ++p) {
    EXPECT_EQ(claims_of(broadcast_k_nomial, p, 2), claims_of(broadcast_binomial, p, 0)) << p;
    EXPECT_EQ(claims_of(broadcast_k_nomial, p, p), claims_of(broadcast_linear, p, 0)) << p;
    EXPECT_EQ(claims_of(scatter_k_nomial, p, p), claims_of(scatter_linear, p, 0)) << p;
    EXPECT_EQ(claims_of(all_gather_k_bruck, p, 2), claims_of(all_gather_bruck, p, 0)) << p;
    EXPECT_EQ(claims_of(all_gather_k_bruck, p, p), claims_of(all_gather_linear, p, 0)) << p;
    EXPECT_EQ(claims_of(all_to_all_k_bruck, p, 2), claims_of(all_to_all_bruck, p, 0)) << p;
    EXPECT_EQ(claims_of(all_to_all_k_bruck, p, p), claims_of(all_to_all_pairwise_modular, p, 0)) << p;
    EXPECT_EQ(claims_of(all_reduce_recursive_multiplying, p, 2), claims_of(all_reduce_recursive_doubling, p, 0)) << p;
    EXPECT_EQ(claims_of(all_reduce_recursive_multiplying, p, p), claims_of(all_reduce_flat, p, 0)) << p;
  }
}

// A wider radix takes more messages a rank and fewer hops.
TEST(Radix, TradesRoundsForHops) {
  for (const int p : {16, 64, 81, 100, 125, 1000}) {
    for (const int radix : {2, 4, 8}) {
      const Claims narrow = claims_of(all_to_all_k_bruck, p, radix);
      const Claims wide = claims_of(all_to_all_k_bruck, p, 2 * radix);
      EXPECT_LE(narrow.rounds, wide.rounds) << p << " " << radix;
      EXPECT_GE(narrow.elements, wide.elements) << p << " " << radix;
    }
  }
}

TEST(Digits, CountWhatTheySay) {
  for (const int p : {1, 2, 3, 9, 10, 26, 27, 28, 100}) {
    for (const int base : {2, 3, 5, 10}) {
      const Digits digits(p, base);
      std::int64_t pairs = 0;
      std::int64_t places = 0;
      digits.for_each_value([&](int weight, int value) {
        std::int64_t have = 0;
        for (int v = 0; v < p; ++v) have += digits.digit(v, weight) == value ? 1 : 0;
        EXPECT_EQ(digits.with_digit(weight, value), have) << p << " in base " << base;
        EXPECT_GT(have, 0) << p << " in base " << base;
        ++pairs;
        places += have;
      });
      EXPECT_EQ(pairs, digits.all_values());
      std::int64_t nonzero = 0;
      for (int v = 0; v < p; ++v) nonzero += digits.nonzero(v);
      EXPECT_EQ(places, nonzero) << p << " in base " << base;
    }
  }
}

// All of a k-ring's messages out of a group leave it from each rank alike.
TEST(KRing, SendsOutOfAGroupFromAllOfItsRanks) {
  const Schedule schedule = record({all_gather_k_ring, {.radix = 4}}, problem_of(all_gather_k_ring, 12));
  for (int rank = 0; rank < 12; ++rank) {
    int out = 0;
    for (const Op& op : schedule.programs[static_cast<std::size_t>(rank)].ops)
      out += op.kind == OpKind::send && op.peer / 4 != rank / 4 ? 1 : 0;
    EXPECT_EQ(out, 2) << rank;
  }
}

TEST(Pat, HasNoMessageOfMoreBlocksThanItAggregates) {
  for (const int p : {2, 5, 16, 23, 32}) {
    for (const int radix : {2, 3, 4, 8, 32}) {
      const Problem problem{.collective = Collective::all_gather, .ranks = p, .count = 1};
      for (const Program& program : record({all_gather_pat, {.radix = radix}}, problem).programs) {
        for (const Op& op : program.ops) {
          const bool sends = op.kind == OpKind::send;
          EXPECT_LE(sends ? Slices(program.slices(op)).elements() : 0, radix) << p;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tutti::algorithms
