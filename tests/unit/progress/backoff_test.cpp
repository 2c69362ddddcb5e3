// How a rank that waits passes the time.

#include "progress/backoff.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tutti::runtime {
namespace {

/// Notes how long it was to nap.
class NotedNaps final : public Clock {
 public:
  void nap(Duration time) override { naps.push_back(std::chrono::duration_cast<Backoff::Duration>(time)); }

  std::vector<Backoff::Duration> naps;
};

constexpr int many = 5000;

TEST(Backoff, NapsLongerTheLongerItWaits) {
  NotedNaps clock;
  Backoff backoff;
  for (int k = 0; k < many; ++k) backoff.pause(clock);
  ASSERT_FALSE(clock.naps.empty());
  EXPECT_GT(clock.naps.back(), 10 * clock.naps.front());
}

// What an MPI has given to the system is sent while a long nap lasts, and then nothing is.
TEST(Backoff, NapsNoLongerThanAtFirstWhileBytesAreOnTheirWay) {
  NotedNaps clock;
  Backoff backoff;
  for (int k = 0; k < many; ++k) backoff.pause_briefly(clock, true);
  ASSERT_FALSE(clock.naps.empty());
  for (const Backoff::Duration nap : clock.naps) EXPECT_EQ(nap, clock.naps.front());
  EXPECT_FALSE(backoff.sleeps());
}

TEST(Backoff, OnlyYieldsWhileBytesAreOnTheirWayAndCoresSuffice) {
  NotedNaps clock;
  Backoff backoff;
  int thoughts = 0;
  for (int k = 0; k < many; ++k) {
    backoff.pause_briefly(clock, false);
    if (backoff.is_thoughtful()) ++thoughts;
  }
  EXPECT_TRUE(clock.naps.empty());
  EXPECT_GT(thoughts, many / 100) << "a rank that is gone is found all the same";
}

}  // namespace
}  // namespace tutti::runtime
