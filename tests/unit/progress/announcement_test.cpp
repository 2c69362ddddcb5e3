/// @file
/// What a rank tells of its wait: when it is to be told anew.

#include "progress/announcement.hpp"

#include <gtest/gtest.h>

#include "support/fake_world.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti::runtime {
namespace {

TEST(Announcement, HoldsWhileNeitherNeedsNorWordsNorOperationsChange) {
  const auto world = threads_world(3);
  testing::TurnedClock clock;
  Announcement announcement(*world, 0, clock);
  Standing standing;
  standing.begin(collective_deed(1, 2));
  standing.add({collective_deed(1, 2), 1, Need::Kind::begin});
  EXPECT_FALSE(announcement.holds("ranks 1, 2", standing, 5));
  announcement.make("ranks 1, 2", standing, 5);
  EXPECT_EQ(world->record(0).waiting(), "ranks 1, 2");
  EXPECT_TRUE(announcement.holds("ranks 1, 2", standing, 5));
  EXPECT_FALSE(announcement.holds("rank 1", standing, 5));
  EXPECT_FALSE(announcement.holds("ranks 1, 2", standing, 6));
  Standing more = standing;
  more.add({collective_deed(1, 2), 2, Need::Kind::begin});
  EXPECT_FALSE(announcement.holds("ranks 1, 2", more, 5));
  announcement.withdraw();
  EXPECT_FALSE(announcement.holds("ranks 1, 2", standing, 5));
}

}  // namespace
}  // namespace tutti::runtime
