/// @file
/// The pace of rings: messages go by the system after slow ones in a row, and come back.

#include <gtest/gtest.h>

#include <chrono>

#include "transport/shared/ring_pace.hpp"

namespace tutti::runtime {
namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t bytes = 32 * 1024;
constexpr nanoseconds quick(3'000);
constexpr nanoseconds slow(30'000);

int let_through(RingPace& pace, int messages) {
  int through = 0;
  for (int k = 0; k < messages; ++k) through += pace.lets_through() ? 1 : 0;
  return through;
}

TEST(RingPace, LetsMessagesThroughUntilManyInARowWereSlow) {
  RingPace pace;
  EXPECT_EQ(let_through(pace, 1000), 1000);
  for (int k = 0; k < 1000; ++k) pace.note(bytes, k % 5 == 0 ? quick : slow);  // interrupted now and then
  EXPECT_EQ(let_through(pace, 1000), 1000);
  for (int k = 0; k < 100; ++k) pace.note(bytes, slow);
  EXPECT_FALSE(pace.lets_through());
}

TEST(RingPace, LooksAgainAndReturnsToRings) {
  RingPace pace;
  for (int k = 0; k < 100; ++k) pace.note(bytes, slow);
  for (int look = 0; look < 3; ++look) {
    int until = 1;
    while (!pace.lets_through()) ASSERT_LT(++until, 1000);
    EXPECT_GT(until, 10) << "a look costs what a slow message does";
    pace.note(bytes, look < 2 ? slow : quick);
    EXPECT_EQ(pace.lets_through(), look == 2);
  }
  EXPECT_EQ(let_through(pace, 1000), 1000);
}

// A message that was let through and never put in, as where no ring was free, has told nothing.
TEST(RingPace, ALookThatCameToNothingIsMadeAgain) {
  RingPace pace;
  for (int k = 0; k < 100; ++k) pace.note(bytes, slow);
  while (!pace.lets_through()) continue;
  EXPECT_TRUE(pace.lets_through());
}

}  // namespace
}  // namespace tutti::runtime
