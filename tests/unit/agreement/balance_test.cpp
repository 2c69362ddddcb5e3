/// @file
/// Counts that each rank knows alone match where the balances of all ranks add up to 0, and nowhere else.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "agreement/disagreement.hpp"
#include "agreement/signature.hpp"

namespace tutti::runtime {
namespace {

/// Counts that each of p ranks sends to each, and then expects of each.
using Counts = std::vector<std::vector<std::int64_t>>;

Counts matching(int p, std::mt19937& random) {
  const auto ranks = static_cast<std::size_t>(p);
  Counts counts(ranks, std::vector<std::int64_t>(2 * ranks));
  for (std::size_t from = 0; from < ranks; ++from) {
    for (std::size_t to = 0; to < ranks; ++to) {
      counts[from][to] = random() % 3;
      counts[to][ranks + from] = counts[from][to];
    }
  }
  return counts;
}

std::uint64_t sum_of(const Counts& counts) {
  std::uint64_t sum = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    const std::span<const std::int64_t> all(counts[rank]);
    sum += balance_of(static_cast<int>(rank), all.first(counts.size()), all.subspan(counts.size()));
  }
  return sum;
}

std::string unmatched_in(const Counts& counts) {
  std::vector<int> ranks(counts.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank] = static_cast<int>(rank);
  return unmatched(ranks, counts, static_cast<int>(counts.size()), "int64");
}

TEST(Balance, IsNothingWhereEveryRankExpectsWhatTheOthersSend) {
  std::mt19937 random(1);
  for (int p = 1; p <= 17; ++p) {
    const Counts counts = matching(p, random);
    EXPECT_EQ(sum_of(counts), 0) << p << " ranks";
    EXPECT_EQ(unmatched_in(counts), "");
  }
}

// Also where the sums over all ranks stay as they are: a count goes up and another one down, or two change places.
TEST(Balance, IsSomethingWhereAnyCountDiffers) {
  std::mt19937 random(2);
  for (int p = 2; p <= 9; ++p) {
    const Counts good = matching(p, random);
    for (std::size_t rank = 0; rank < good.size(); ++rank) {
      for (std::size_t place = 0; place < good[rank].size(); ++place) {
        Counts bad = good;
        bad[rank][place] += 1;
        EXPECT_NE(sum_of(bad), 0) << p << " ranks, count " << place << " of rank " << rank;
        EXPECT_NE(unmatched_in(bad), "");
        bad[rank][(place + 1) % bad[rank].size()] -= 1;
        EXPECT_NE(sum_of(bad), 0);
        bad = good;
        std::swap(bad[rank][place], bad[rank][(place + 1) % bad[rank].size()]);
        EXPECT_EQ(sum_of(bad) == 0, bad == good);
      }
    }
  }
}

TEST(Balance, IsToldByThePairThatDiffers) {
  std::mt19937 random(3);
  Counts counts = matching(3, random);
  counts[2][0] = 5;
  counts[0][3 + 2] = 1;
  EXPECT_EQ(unmatched_in(counts), "rank 2 sends 5 elements to rank 0, which expects 1");
  counts[0].clear();  // this rank has not told its counts
  EXPECT_EQ(unmatched_in(counts), "");
}

}  // namespace
}  // namespace tutti::runtime
