/// @file
/// Many ranks in few words.

#include "base/text/rank_lists.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tutti {
namespace {

TEST(ListsOfRanks, HaveRangesWhereTheyAreShorter) {
  const auto words = [](const std::vector<int>& ranks) { return list_of(ranks); };
  EXPECT_EQ(words({3}), "rank 3");
  EXPECT_EQ(words({0, 1, 3}), "ranks 0, 1, 3");
  EXPECT_EQ(words({4, 5, 6}), "ranks 4, 5, 6");
  EXPECT_EQ(words({0, 1, 2, 3}), "ranks 0-3");
  EXPECT_EQ(words({0, 2, 3, 4, 5, 9}), "ranks 0, 2-5, 9");
}

TEST(ListsOfRanks, AreCutOffAndSayHowManyThereAre) {
  std::vector<int> odd(17);
  for (std::size_t k = 0; k < odd.size(); ++k) odd[k] = static_cast<int>(2 * k + 1);
  EXPECT_EQ(list_of(std::span(odd).first(16)), "ranks 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31");
  EXPECT_EQ(list_of(odd), "ranks 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, … (17 in all)");
}

TEST(GroupsOfRanks, TellEachTextOnceAndTheLargestGroupFirst) {
  RankGroups groups;
  EXPECT_TRUE(groups.largest_first().empty());
  for (const int rank : {9, 4, 1}) groups.add(rank, "b");
  groups.add(2, "c");
  groups.add(0, "d");
  const std::vector<RankGroup> expected = {{{1, 4, 9}, "b"}, {{0}, "d"}, {{2}, "c"}};
  EXPECT_EQ(groups.largest_first(), expected);
}

}  // namespace
}  // namespace tutti
