/// @file
/// Stopped ranks, as `tutti run` tells of them, by a clock that is turned by hand.

#include "launch/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tutti::launch {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

/// Stops with a limit of 30 s, looked at every second.
class StopsByHand : public testing::Test {
 protected:
  std::vector<int> look(const std::set<int>& stopped) { return stops_.look(stopped, now_ += seconds(1)); }

  Stops stops_{seconds(30)};
  Stops::Clock::time_point now_{};
};

TEST_F(StopsByHand, ARankIsToldOnceAStop) {
  for (int stop = 0; stop < 3; ++stop) {
    for (int second = 0; second < 30; ++second) EXPECT_THAT(look({1}), IsEmpty()) << second;
    look({1});  // the first gap counts little
    EXPECT_THAT(look({1}), ElementsAre(1));
    for (int second = 0; second < 100; ++second) EXPECT_THAT(look({1}), IsEmpty());
    EXPECT_THAT(look({}), IsEmpty());
  }
}

TEST_F(StopsByHand, EachRankHasATimeOfItsOwn) {
  for (int second = 0; second < 20; ++second) look({3, 7});
  for (int second = 0; second < 11; ++second) EXPECT_THAT(look({3, 5, 7}), IsEmpty());
  EXPECT_THAT(look({3, 5, 7}), ElementsAre(3, 7));
  for (int second = 0; second < 19; ++second) EXPECT_THAT(look({3, 5}), IsEmpty());
  EXPECT_THAT(look({3, 5}), ElementsAre(5));
}

TEST_F(StopsByHand, TimeInWhichTheLauncherWasStoppedDoesNotCount) {
  for (int second = 0; second < 10; ++second) look({0, 1});
  now_ += hours(10);
  for (int second = 0; second < 17; ++second) EXPECT_THAT(look({0, 1}), IsEmpty());
}

TEST_F(StopsByHand, AreLookedAtOftenBesideTheLimit) {
  for (const double limit : {1e-3, 0.5, 30.0, 1e6}) {
    const std::chrono::duration<double> interval = Stops(std::chrono::duration<double>(limit)).interval();
    EXPECT_GE(interval.count(), 0.02);
    EXPECT_LE(interval.count(), std::max(0.02, limit / 8) + 1e-9);
    EXPECT_LE(interval, seconds(5));
  }
}

}  // namespace
}  // namespace tutti::launch
