/// @file
/// Schedules as text: what fits, and what terminals get.

#include "draw/steps/text_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"
#include "topology/families/families.hpp"

namespace tutti::draw {
namespace {

ScheduleFrames frames_for(Collective collective, const std::string& algorithm, int ranks, const Limits& limits = {}) {
  const Problem problem{.collective = collective, .ranks = ranks, .count = ranks};
  return frames_of(record(algorithms::fitting(problem, algorithm), problem), *full_topology(ranks), limits);
}

TEST(Chart, LeavesContentsOutWhereLinesWouldBeTooLong) {
  const ScheduleFrames frames = frames_for(Collective::broadcast, "binomial", 4);
  EXPECT_THAT(chart_of(frames, 26).value(), testing::HasSubstr("step 2  M →1  ←0  M →3  ←2\n"));
  EXPECT_THAT(chart_of(frames, 25).value(), testing::HasSubstr("step 2  →1  ←0  →3  ←2\n"));
  EXPECT_TRUE(chart_of(frames, 22).has_value());
  EXPECT_FALSE(chart_of(frames, 21).has_value());
}

TEST(Chart, IsNothingWhereFramesLeaveSomethingOut) {
  EXPECT_FALSE(chart_of(frames_for(Collective::all_gather, "ring", 4, {.ranks = 3}), 1000).has_value());
  EXPECT_FALSE(chart_of(frames_for(Collective::all_gather, "ring", 4, {.last = 2}), 1000).has_value());
  EXPECT_TRUE(chart_of(frames_for(Collective::all_gather, "ring", 4, {.ranks = 4, .last = 3}), 1000).has_value());
}

// A line where each begins, however narrow the columns are.
TEST(Chart, NamesPhases) {
  const std::string chart = chart_of(frames_for(Collective::all_reduce, "ring", 3), 100).value();
  for (const char* phase : {"\nreduce-scatter:\nstep 1 ", "\nall-gather:\nstep 3 "})
    EXPECT_THAT(chart, testing::HasSubstr(phase));
  EXPECT_THAT(chart_of(frames_for(Collective::broadcast, "binomial", 4), 100).value(),
              testing::Not(testing::HasSubstr(":")));
}

TEST(Chart, InkChangesNothingButTheInk) {
  const ScheduleFrames frames = frames_for(Collective::reduce, "binomial", 6);
  const std::string plain = chart_of(frames, 100).value();
  const std::string inked = chart_of(frames, 100, ChartStyle::terminal).value();
  EXPECT_THAT(inked, testing::StartsWith("\033[1mrank"));
  EXPECT_EQ(std::regex_replace(inked, std::regex("\033\\[[0-9]+m"), ""), plain);
}

TEST(Chart, WithoutStepsSaysSo) {
  EXPECT_EQ(chart_of(frames_for(Collective::broadcast, "binomial", 1), 10), "nothing is sent\n");
}

}  // namespace
}  // namespace tutti::draw
