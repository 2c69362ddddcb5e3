/// @file
/// Announcement of a rank's wait: when it is to be told anew.

#include "progress/announcement.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "support/fake_world.hpp"
#include "transport/threads/threads_world.hpp"

namespace tutti::runtime {
namespace {

TEST(Announcement, HoldsWhileNeitherNeedsNorWordsNorOperationsChange) {
  const auto world = threads_world(3);
  testing::TurnedClock clock;
  Announcement announcement(*world, *world, 0, clock);
  WaitState wait_state;
  wait_state.begin(collective_id(1, 2));
  wait_state.add({collective_id(1, 2), 1, Dependency::Kind::begin});
  EXPECT_FALSE(announcement.holds("ranks 1, 2", wait_state, 5));
  announcement.make("ranks 1, 2", wait_state, 5);
  EXPECT_EQ(world->record(0).waiting(), "ranks 1, 2");
  EXPECT_TRUE(announcement.holds("ranks 1, 2", wait_state, 5));
  EXPECT_FALSE(announcement.holds("rank 1", wait_state, 5));
  EXPECT_FALSE(announcement.holds("ranks 1, 2", wait_state, 6));
  WaitState more = wait_state;
  more.add({collective_id(1, 2), 2, Dependency::Kind::begin});
  EXPECT_FALSE(announcement.holds("ranks 1, 2", more, 5));
  announcement.withdraw();
  EXPECT_FALSE(announcement.holds("ranks 1, 2", wait_state, 5));
}

/// Wait state of a rank that waits for another one to begin the call.
WaitState wait_for(int rank, std::uint64_t call) {
  WaitState wait_state;
  wait_state.begin(collective_id(call, 0));
  wait_state.add({collective_id(call, 0), rank, Dependency::Kind::begin});
  wait_state.awaited = wait_state.operations;
  return wait_state;
}

/// Returns what rank 2 finds, and then rank 0, where rank 2 waits for rank 0, which waits for rank 1, and that for it.
std::vector<std::string> found_beside_a_cycle(Announcement::Movers movers) {
  const auto world = threads_world(3);
  testing::TurnedClock clock;
  std::vector<std::unique_ptr<Announcement>> ranks;
  for (int rank = 0; rank < 3; ++rank) ranks.push_back(std::make_unique<Announcement>(*world, *world, rank, clock));
  ranks[0]->make("rank 0's", wait_for(1, 1), 1);
  ranks[1]->make("rank 1's", wait_for(0, 2), 1);
  ranks[2]->make("rank 2's", wait_for(0, 3), 1);
  std::vector<std::string> found;
  for (const int rank : {0, 1, 2}) world->note_quiet(rank, world->moment());
  clock.jump(std::chrono::seconds(1));
  for (const int rank : {2, 0}) found.push_back(ranks[static_cast<std::size_t>(rank)]->look(world->moment(), movers));
  return found;
}

// All wait, and those of the cycle go on once they are told.
TEST(Announcement, LeavesACycleToItsRanks) {
  for (const auto movers : {Announcement::Movers::ranks, Announcement::Movers::others}) {
    const std::vector<std::string> found = found_beside_a_cycle(movers);
    EXPECT_EQ(found[0], "");
    EXPECT_EQ(found[1], "ranks wait for one another, for ever: rank 0 waits for rank 0's; rank 1 waits for rank 1's");
  }
}

// The rank that ended may have posted its last messages after the others' looks.
TEST(Announcement, AsksForALookOfAllRanksSinceTheLastOneEnded) {
  const auto world = threads_world(3);
  testing::TurnedClock clock;
  std::vector<std::unique_ptr<Announcement>> ranks;
  for (int rank = 0; rank < 2; ++rank) {
    ranks.push_back(std::make_unique<Announcement>(*world, *world, rank, clock));
    ranks.back()->make("a message from rank 2", wait_for(2, 1), 1);
  }
  const std::uint64_t before = world->moment();
  for (const int rank : {0, 1}) world->note_quiet(rank, before);
  world->end(2);
  clock.jump(std::chrono::seconds(1));
  EXPECT_EQ(ranks[0]->look(before, Announcement::Movers::ranks), "");
  for (const int rank : {0, 1}) world->note_quiet(rank, world->moment());
  clock.jump(std::chrono::seconds(4));
  EXPECT_EQ(ranks[0]->look(world->moment(), Announcement::Movers::ranks),
            "all ranks wait, for ever: rank 0 waits for a message from rank 2; rank 1 waits for a message from rank 2");
}

}  // namespace
}  // namespace tutti::runtime
