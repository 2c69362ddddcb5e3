/// @file
/// Number of calls before any counts, and in batches of how many.

#include "measure/pace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tutti::measure {
namespace {

struct WarmUp {
  std::size_t calls = 0;
  double seconds = 0;
  std::size_t longest_batch = 0;
};

/// Makes calls that take so long each until the pace counts them.
WarmUp warm_up(std::size_t sets, const Effort& effort, double seconds_per_call) {
  Pace pace(sets, effort);
  WarmUp made;
  while (pace.calls() == 0) {
    const std::size_t calls = pace.next();
    made.longest_batch = std::max(made.longest_batch, calls);
    const double seconds = static_cast<double>(calls) * seconds_per_call;
    made.seconds += seconds;
    pace.record(seconds_per_call, made.seconds);
    if (pace.calls() == 0) made.calls += calls;
  }
  return made;
}

TEST(Pace, EverySetWasUsedThreeTimesBeforeAnythingCounts) {
  for (std::size_t sets = 1; sets <= 128; ++sets) {
    for (const double seconds : {1e-7, 1e-5, 1e-4, 1e-3}) {
      const WarmUp made = warm_up(sets, Effort{10, 0.03, 1e-3}, seconds);
      EXPECT_GE(made.calls, 3 * sets) << seconds;
      EXPECT_LE(made.longest_batch, sets) << seconds;
    }
  }
}

TEST(Pace, WarmUpEndsWhenTimeIsUp) {
  for (std::size_t sets = 2; sets <= 128; sets *= 2) {
    const WarmUp made = warm_up(sets, Effort{0.5, 0.03, 1e-3}, 0.2);
    EXPECT_GE(made.seconds, 0.5) << sets;
    EXPECT_LE(made.calls, 4U) << sets;
  }
}

TEST(Pace, WarmUpMayTakeLongerThanWhatCounts) {
  constexpr std::size_t sets = 64;
  constexpr double call = 1e-3;
  EXPECT_GE(warm_up(sets, {.seconds = 0.01, .warm_up_seconds = 1}, call).calls, 3 * sets);
  const WarmUp short_one = warm_up(sets, {.seconds = 0.01, .warm_up_seconds = 0.1}, call);
  EXPECT_GE(short_one.seconds, 0.1);
  EXPECT_LT(short_one.calls, 3 * sets);
}

TEST(Pace, WarmsUpUntilABatchIsLongOrUsesEverySet) {
  Pace fast(16, {.seconds = 1, .batch_seconds = 1});
  std::vector<std::size_t> batches;
  for (int k = 0; k < 10; ++k) {
    batches.push_back(fast.next());
    fast.record(1e-9, 0.001);
  }
  EXPECT_THAT(batches, testing::ElementsAre(1, 2, 4, 8, 16, 16, 16, 16, 16, 16));
  EXPECT_EQ(fast.summary().samples, 3u);  // samples after the third of 16
  EXPECT_EQ(fast.calls(), 48u);

  Pace slow(16, {.seconds = 100, .batch_seconds = 1e-3});
  for (int k = 0; k < 3 * 16 + 3; ++k) {
    EXPECT_EQ(slow.next(), 1u);
    slow.record(0.5, 0.5 * (k + 1));
  }
  EXPECT_EQ(slow.summary().samples, 3u);  // each set was used three times before
}

TEST(Pace, ASlowFirstCallDoesNotMakeBatchesOfOne) {
  Pace pace(64, {.seconds = 100, .batch_seconds = 1e-3});
  pace.record(0.5, 0.5);  // the call that founds what the others find
  std::vector<std::size_t> batches;
  for (int k = 0; k < 6; ++k) {
    batches.push_back(pace.next());
    pace.record(1.1e-4, 0.6);
  }
  EXPECT_THAT(batches, testing::ElementsAre(1, 2, 4, 8, 16, 16));
  EXPECT_EQ(pace.calls(), 0u);
}

TEST(Pace, EndsWhenTheMedianIsStable) {
  Pace steady(1, {.seconds = 1e9, .precision = 0.03});
  int batches = 0;
  for (; steady.next() > 0; ++batches) steady.record(1e-6, 0);
  EXPECT_EQ(batches, 3 + 20);

  Pace restless(1, {.seconds = 1e9, .precision = 0.03});
  for (int k = 0; k < 200; ++k) {
    ASSERT_GT(restless.next(), 0u);
    restless.record(k % 2 == 0 ? 1e-6 : 3e-6, 0);
  }
}

TEST(Pace, EndsWhenTimeIsUpButNotWithoutAFigure) {
  Pace late(1, {.seconds = 1});
  for (int k = 0; k < 3; ++k) late.record(1e-6, 0);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(late.next(), 1u);
    late.record(1e-6, 1.5);
  }
  EXPECT_EQ(late.next(), 0u);

  Pace very_late(8, {.seconds = 1});
  very_late.record(50, 50);  // the warm-up alone takes longer than there is time
  EXPECT_EQ(very_late.next(), 1u);
  very_late.record(50, 150);
  EXPECT_EQ(very_late.next(), 0u);
  EXPECT_EQ(very_late.summary().median, 50);
}

}  // namespace
}  // namespace tutti::measure
