/// @file
/// Report of `tutti bench` on figures that are given to it.

#include "app/commands/machine/bench_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_json.hpp"

namespace tutti::app {
namespace {

using test::Json;

// Calls whose median is 10 us.
BenchRow row(double limit_before, double limit_after, double p99 = 10e-6) {
  return {.cell = {Collective::all_reduce, 2, 4096},
          .algorithm = "ring",
          .measured = {{.least = 10e-6, .median = 10e-6, .p99 = p99, .half_width = 0, .samples = 9}, 9},
          .limit_before = limit_before,
          .limit_after = limit_after,
          .predicted_seconds = 1e-6};
}

Json cell_of(const BenchRow& row) { return Json::parse(bench_json({Transport::threads, {row}}))["cells"][0]; }

TEST(BenchReport, TheLesserLimitCounts) {
  EXPECT_EQ(cell_of(row(8e-6, 5e-6))["of_limit"], 0.5);
  EXPECT_EQ(cell_of(row(5e-6, 20e-6))["of_limit"], 0.5);
  EXPECT_TRUE(cell_of(row(5e-6, 20e-6))["limit_note"].is_null());
  EXPECT_THAT(bench_table({Transport::threads, {row(8e-6, 5e-6)}}), testing::HasSubstr("50.0 %\n"));
}

TEST(BenchReport, NoLimitIsNoFigure) {
  const Json cell = cell_of(row(0, 0));
  EXPECT_TRUE(cell["limit_us"].is_null());
  EXPECT_TRUE(cell["of_limit"].is_null());
  EXPECT_TRUE(cell["limit_note"].is_null());
  EXPECT_THAT(bench_table({Transport::threads, {row(0, 0)}}), testing::Not(testing::HasSubstr("%")));
}

TEST(BenchReport, WhatPassesTheLimitIsExplained) {
  const auto why = [](const BenchRow& each) {
    const std::string note = cell_of(each)["limit_note"];
    EXPECT_THAT(bench_table({Transport::threads, {each}}), testing::HasSubstr("120.0 % *\n\n* 4KiB: " + note + "\n"));
    return note;
  };
  EXPECT_THAT(why(row(12e-6, 30e-6)), testing::HasSubstr("its limit was 12us before the calls and 30us after them"));
  EXPECT_THAT(why(row(12e-6, 12e-6, 90e-6)), testing::HasSubstr("the calls took from 10us to 90us"));
  EXPECT_THAT(why(row(12e-6, 12e-6)), testing::HasSubstr("caches"));
}

}  // namespace
}  // namespace tutti::app
