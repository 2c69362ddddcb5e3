/// @file
/// The clock of waits, turned by hand.

#include "base/system/waiting_time.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tutti {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = WaitingTime::Clock;

TEST(WaitingTime, CountsAllOfAWaitThatLooksRegularly) {
  constexpr std::uint64_t seed = 11;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  Clock::time_point now{};
  WaitingTime waiting(now);
  for (int look = 0; look < 10'000; ++look) {
    now += microseconds(random() % 50'000);
    EXPECT_EQ(waiting.look(now), now - Clock::time_point{});
  }
}

// A rank that computes for seconds between its tests does so.
TEST(WaitingTime, CountsAllButTheFirstLooksOfAWaitThatLooksSeldom) {
  for (const auto pace : {seconds(1), seconds(10), seconds(600)}) {
    Clock::time_point now{};
    WaitingTime waiting(now);
    for (int look = 0; look < 100; ++look) waiting.look(now += pace);
    EXPECT_EQ(waiting.look(now), 99 * Clock::duration(pace) + WaitingTime::regular_gap);
  }
}

TEST(WaitingTime, AStopCountsForNextToNothing) {
  for (const auto pace : {microseconds(50), microseconds(1000), microseconds(30'000)}) {
    Clock::time_point now{};
    WaitingTime waiting(now);
    Clock::duration ran{0};
    for (int stop = 0; stop < 3; ++stop) {
      for (int look = 0; look < 10; ++look) {
        waiting.look(now += pace);
        ran += pace;
      }
      waiting.look(now += hours(10));
    }
    EXPECT_GE(waiting.look(now), ran);
    EXPECT_LE(waiting.look(now), ran + milliseconds(3 * 60));
  }
}

TEST(WaitingTime, ALookAtOnceAddsNothing) {
  const Clock::time_point now{};
  WaitingTime waiting(now);
  for (int look = 0; look < 1000; ++look) EXPECT_EQ(waiting.look(now).count(), 0);
}

}  // namespace
}  // namespace tutti
