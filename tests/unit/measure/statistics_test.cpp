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

}  // namespace
}  // namespace tutti::measure
