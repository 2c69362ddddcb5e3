/// @file
/// Calls whose ranks do not all know all counts: a rank does what it does where all ranks know all.

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "algorithms/table.hpp"
#include "tutti/error.hpp"

namespace tutti::algorithms {
namespace {

/// Returns the part of the problem that rank `rank` alone knows.
Problem known_to(int rank, const Problem& problem) {
  Problem own = problem;
  own.known_to = rank;
  if (problem.collective == Collective::all_to_all) {
    own.counts.clear();
    for (int peer = 0; peer < problem.ranks; ++peer) own.counts.push_back(problem.pair_count(rank, peer));
    for (int peer = 0; peer < problem.ranks; ++peer) own.counts.push_back(problem.pair_count(peer, rank));
  } else if (rank != problem.root) {
    std::ranges::fill(own.counts, 0);
    own.counts[static_cast<std::size_t>(rank)] = problem.block_count(rank);
  }
  return own;
}

bool are_alike(const Program& a, const Program& b) {
  const auto alike = [](const Op& x, const Op& y) {
    return x.kind == y.kind && x.side == y.side && x.ends_step == y.ends_step && x.chained == y.chained &&
           x.peer == y.peer && x.at == y.at && x.slices == y.slices && x.operand == y.operand && x.second == y.second;
  };
  const auto alike_slices = [](const Slice& x, const Slice& y) {
    return x.buffer == y.buffer && x.first == y.first && x.count == y.count;
  };
  return a.scratch == b.scratch && std::equal(a.ops.begin(), a.ops.end(), b.ops.begin(), b.ops.end(), alike) &&
         std::equal(a.pool.begin(), a.pool.end(), b.pool.begin(), b.pool.end(), alike_slices);
}

/// Compares both programs of each rank; returns how many that are.
int compare(const Algorithm& algorithm, const Problem& problem) {
  if (unmet_need(algorithm, problem)) return 0;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    Program whole;
    Program own;
    record_rank(algorithm, problem, rank, whole);
    record_rank(algorithm, known_to(rank, problem), rank, own);
    EXPECT_TRUE(are_alike(whole, own)) << algorithm.name << ", rank " << rank << " of " << describe(problem);
  }
  return problem.ranks;
}

TEST(OwnBlocks, SufficeWhereTheCatalogueSaysSo) {
  int tried = 0;
  for (const Collective collective : all_collectives()) {
    int of_this = 0;
    for (const Algorithm* const algorithm : algorithms_for(collective)) {
      for (int p = 1; p <= 17 && algorithm->own_blocks_suffice; ++p) {
        const int counts = collective == Collective::all_to_all ? p * p : p;
        for (int root = 0; root < (has_root(collective) ? p : 1); ++root) {
          Problem problem{.collective = collective, .ranks = p, .root = root};
          for (int k = 0; k < counts; ++k) problem.counts.push_back((k + root) * 7 % 5);
          of_this += compare(*algorithm, problem);
        }
      }
    }
    using enum Collective;
    const bool is_some = collective == all_to_all || collective == gather || collective == scatter;
    EXPECT_EQ(of_this > 300, is_some) << name_of(collective);
    tried += of_this;
  }
  EXPECT_GT(tried, 3000);
}

TEST(OwnBlocks, OfOthersAreNotKnown) {
  const Problem own{.collective = Collective::all_to_all, .ranks = 3, .counts = {1, 2, 3, 4, 5, 6}, .known_to = 1};
  EXPECT_EQ(own.pair_count(1, 2), 3);
  EXPECT_EQ(own.pair_count(2, 1), 6);
  EXPECT_THROW(static_cast<void>(own.pair_count(0, 2)), Error);
  EXPECT_NO_THROW(check(own));
  EXPECT_NO_THROW(check({.collective = Collective::gather, .ranks = 3, .counts = {0, 2, 0}, .known_to = 1}));
  EXPECT_THROW(check({.collective = Collective::scatter, .ranks = 3, .counts = {0, 2, 0}, .known_to = 3}), Error);
  EXPECT_THROW(check({.collective = Collective::all_gather, .ranks = 3, .counts = {1, 2, 3}, .known_to = 1}), Error);
  EXPECT_THROW(check({.collective = Collective::all_to_all, .ranks = 3, .counts = {1, 2, 3}, .known_to = 1}), Error);
}

}  // namespace
}  // namespace tutti::algorithms
