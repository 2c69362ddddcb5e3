// How a rank that waits passes the time.

#include "progress/backoff.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tutti::runtime {
namespace {

/// Notes how long it was to nap, and stands still between naps unless it is turned.
class NotedNaps final : public Clock {
 public:
  Instant now() override { return now_ += step; }
  void nap(Duration time) override {
    naps.push_back(std::chrono::duration_cast<Backoff::Duration>(time));
    now_ += time;
  }

  std::vector<Backoff::Duration> naps;
  Duration step{0};  // from look to look

 private:
  Instant now_{std::chrono::hours(1)};
};

constexpr int many = 5000;

// A wait so long that the rank has come to nap.
void wait_long(Backoff& backoff, const NotedNaps& clock) {
  for (int k = 0; k < many; ++k) backoff.pause();
  ASSERT_FALSE(clock.naps.empty());
}

TEST(Backoff, NapsLongerTheLongerItWaits) {
  NotedNaps clock;
  Competition competition;
  Backoff backoff(competition, clock, false);
  ASSERT_NO_FATAL_FAILURE(wait_long(backoff, clock));
  EXPECT_GT(clock.naps.back(), 10 * clock.naps.front());
}

// What an MPI has given to the system is sent while a long nap lasts, and then nothing is.
TEST(Backoff, NapsNoLongerThanAtFirstWhileBytesAreOnTheirWay) {
  NotedNaps clock;
  Competition competition;
  Backoff backoff(competition, clock, true);
  for (int k = 0; k < many; ++k) backoff.pause_briefly();
  ASSERT_FALSE(clock.naps.empty());
  for (const Backoff::Duration nap : clock.naps) EXPECT_EQ(nap, clock.naps.front());
  EXPECT_FALSE(backoff.sleeps());
}

TEST(Backoff, OnlyYieldsWhileBytesAreOnTheirWayAndCoresSuffice) {
  NotedNaps clock;
  Competition competition;
  Backoff backoff(competition, clock, false);
  int thoughts = 0;
  for (int k = 0; k < many; ++k) {
    backoff.pause_briefly();
    if (backoff.is_thoughtful()) ++thoughts;
  }
  EXPECT_TRUE(clock.naps.empty());
  EXPECT_GT(thoughts, many / 100) << "a rank that is gone is found all the same";
}

// How often a rank lets others run before it may sleep.
int yields_before_sleep(Competition& competition, NotedNaps& clock, bool outnumbered) {
  Backoff backoff(competition, clock, outnumbered);
  int yields = 0;
  for (; !backoff.naps(); ++yields) backoff.pause();
  return yields;
}

TEST(Backoff, SleepsSoonWhereYieldsLastForATimeSlice) {
  for (const bool outnumbered : {false, true}) {
    NotedNaps clock;
    Competition competition;
    const auto yields = [&] { return yields_before_sleep(competition, clock, outnumbered); };
    const int usual = yields();
    EXPECT_EQ(yields(), usual);
    clock.step = std::chrono::milliseconds(4);
    EXPECT_LT(yields(), usual / 10) << "the wait that finds it";
    clock.step = Clock::Duration(0);
    EXPECT_LT(yields(), usual / 10);
    Backoff backoff(competition, clock, outnumbered);
    while (!backoff.naps()) backoff.pause();
    EXPECT_TRUE(backoff.sleeps());
    EXPECT_TRUE(clock.naps.empty());
    int waits = 0;
    while (yields() < usual) ASSERT_LT(++waits, many) << "competition is not expected for ever";
    EXPECT_GT(waits, 10) << "a short yield alone says little";
  }
}

TEST(Backoff, TakesNoNapsForCompetition) {
  NotedNaps clock;
  Competition competition;
  Backoff backoff(competition, clock, false);
  ASSERT_NO_FATAL_FAILURE(wait_long(backoff, clock));
  backoff.pause_briefly();
  EXPECT_FALSE(competition.is_expected());
}

TEST(Competition, IsExpectedAfterAYieldOfMilliseconds) {
  Competition competition;
  EXPECT_FALSE(competition.is_expected());
  EXPECT_FALSE(competition.note_yield(std::chrono::milliseconds(1))) << "many ranks of one core may take as long";
  EXPECT_FALSE(competition.is_expected());
  EXPECT_TRUE(competition.note_yield(std::chrono::milliseconds(4)));
  EXPECT_TRUE(competition.is_expected());
}

/// How many short yields end the expectation.
int short_yields(Competition& competition) {
  int yields = 0;
  for (; competition.is_expected() && yields < many; ++yields) competition.note_yield(std::chrono::microseconds(1));
  return yields;
}

TEST(Competition, IsOverAfterShortYieldsInARow) {
  Competition competition;
  competition.note_yield(std::chrono::milliseconds(4));
  const int enough = short_yields(competition);
  EXPECT_LT(enough, many);
  competition.note_yield(std::chrono::milliseconds(4));
  for (int k = 1; k < enough; ++k) competition.note_yield(std::chrono::microseconds(1));
  competition.note_yield(std::chrono::milliseconds(4));
  EXPECT_EQ(short_yields(competition), enough);
}

}  // namespace
}  // namespace tutti::runtime
