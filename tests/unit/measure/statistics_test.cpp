/// @file
/// Statistics of what was measured, and when enough has been. No test depends on a duration.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "measure/loop.hpp"

namespace tutti::measure {
namespace {

std::vector<double> numbers(int first, int last) {
  std::vector<double> values;
  for (int k = first; k <= last; ++k) values.push_back(k);
  return values;
}

TEST(Statistics, TheMedianIsTheMiddle) {
  EXPECT_EQ(median_of({}), 0);
  EXPECT_EQ(median_of({7}), 7);
  EXPECT_EQ(median_of({9, 1, 5}), 5);
  EXPECT_EQ(median_of({9, 1, 5, 6}), 5.5);
}

TEST(Statistics, TheGeometricMeanOfInversesIsTheInverse) {
  EXPECT_EQ(geometric_mean({}), 0);
  EXPECT_NEAR(geometric_mean({2, 8}), 4, 1e-12);
  EXPECT_NEAR(geometric_mean({0.5, 0.125}), 0.25, 1e-12);
}

TEST(Statistics, ASummaryDoesNotDependOnOrder) {
  std::vector<double> values = numbers(1, 200);
  const Summary sorted = summarize(values);
  std::reverse(values.begin(), values.end());
  const Summary reversed = summarize(values);
  EXPECT_EQ(sorted.median, reversed.median);
  EXPECT_EQ(sorted.half_width, reversed.half_width);
  EXPECT_EQ(sorted.least, 1);
  EXPECT_EQ(sorted.median, 100.5);
  EXPECT_EQ(sorted.p99, 198);  // exactly 198 of 200 do not exceed it
  EXPECT_EQ(sorted.samples, 200u);
}

TEST(Statistics, TheIntervalShrinksWithTheSquareRootOfTheSamples) {
  EXPECT_TRUE(std::isinf(summarize(numbers(1, 5)).half_width));
  EXPECT_FALSE(std::isinf(summarize(numbers(1, 6)).half_width));
  EXPECT_EQ(summarize(std::vector<double>(50, 3.0)).half_width, 0);
  // n evenly spread samples: 0.98 sqrt(n) of them to either side of the middle, n/2.
  EXPECT_NEAR(summarize(numbers(1, 100)).half_width, 0.98 * 10 / 50, 0.03);
  EXPECT_NEAR(summarize(numbers(1, 10000)).half_width, 0.98 * 100 / 5000, 0.001);
}

TEST(Pace, WarmsUpUntilABatchIsLongOrUsesEverySet) {
  Pace fast(16, {.seconds = 1, .batch_seconds = 1});
  std::vector<std::size_t> batches;
  for (int k = 0; k < 8; ++k) {
    batches.push_back(fast.next());
    fast.record(1e-9, 0.001);
  }
  EXPECT_THAT(batches, testing::ElementsAre(1, 2, 4, 8, 16, 16, 16, 16));
  EXPECT_EQ(fast.summary().samples, 3u);  // those after the first of 16
  EXPECT_EQ(fast.calls(), 48u);

  Pace slow(16, {.seconds = 100, .batch_seconds = 1e-3});
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(slow.next(), 1u);
    slow.record(0.5, 0.5 * (k + 1));
  }
  EXPECT_EQ(slow.summary().samples, 3u);  // two warm-ups
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
  EXPECT_EQ(batches, 2 + 20);

  Pace restless(1, {.seconds = 1e9, .precision = 0.03});
  for (int k = 0; k < 200; ++k) {
    ASSERT_GT(restless.next(), 0u);
    restless.record(k % 2 == 0 ? 1e-6 : 3e-6, 0);
  }
}

TEST(Pace, EndsWhenTimeIsUpButNotWithoutAFigure) {
  Pace late(1, {.seconds = 1});
  late.record(1e-6, 0);
  late.record(1e-6, 0);
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
