/// @file
/// The file where all ranks write their traces, and the recorder of one rank.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <latch>
#include <thread>
#include <vector>

#include "support/sanitizers.hpp"
#include "trace/recorder.hpp"
#include "trace/trace_file.hpp"
#include "unit/trace/traced.hpp"

namespace tutti::runtime {
namespace {

using test::kinds_of;
using test::Trace;
using timeline::Lane;
using timeline::SpanKind;
using timeline::Timeline;

std::string event(int rank) { return timeline::events_of(rank, {{.kind = SpanKind::compute, .begin = 1, .end = 2}}); }

TEST_F(Trace, FileIsWholeAfterEachOfManyWriters) {
  constexpr int writers = 8;
  constexpr int times = 20;
  constexpr std::size_t spans = 200;  // so many that writers without a lock would meet
  const Lane much(spans, {.kind = SpanKind::compute, .begin = 1, .end = 2});
  std::latch start(writers);
  std::vector<std::jthread> threads;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      start.arrive_and_wait();
      for (int k = 0; k < times; ++k) append_to_trace(file(), timeline::events_of(writer, much));
    });
  }
  threads.clear();
  const Timeline timeline = read();
  ASSERT_EQ(timeline.lanes.size(), std::size_t{writers});
  for (const Lane& lane : timeline.lanes) EXPECT_EQ(lane.size(), times * spans);
}

TEST_F(Trace, FileLosesOnlyWhatAKilledWriterLeftHalfDone) {
  append_to_trace(file(), event(0));
  append_to_trace(file(), event(1));
  const std::string whole = text();
  // The last writer came to various places of what it wrote.
  const std::size_t begin = whole.find("\"pid\":1");
  for (std::size_t end = begin; end < whole.size(); end += 7) {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << whole.substr(0, end);
    append_to_trace(file(), event(2));
    const Timeline timeline = read();
    ASSERT_EQ(timeline.lanes.size(), 3U) << end;
    EXPECT_EQ(timeline.lanes[0].size(), 1U);
    EXPECT_EQ(timeline.lanes[2].size(), 1U);
  }
}

TEST_F(Trace, IsNoPipeAndNoDevice) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& name : {pipe, std::string("/dev/null"), std::string("/dev/full")})
    EXPECT_THROW(append_to_trace(name, event(0)), WrongTraceName) << name;
}

TEST_F(Trace, RecorderKeepsTheFirstSpansAndSaysSo) {
  if (test::has_seen_enough) GTEST_SKIP() << test::learns_nothing_from_size;
  Recorder recorder(0, true, file());
  for (std::size_t k = 0; k < Recorder::most_spans + 10; ++k) recorder.sent(1, k + 1, 8, trace_clock());
  EXPECT_EQ(recorder.lane().size(), Recorder::most_spans);
  recorder.write();
  recorder.write();
  const Timeline timeline = read();
  EXPECT_EQ(timeline.lanes[0].size(), Recorder::most_spans);
  EXPECT_EQ(timeline.note, "rank 0: 10 later spans were not kept");
}

// A program may call collectives of ever new sizes, and some again and again.
TEST_F(Trace, RecorderKnowsATitleAgainHoweverManyCameAfterIt) {
  Recorder recorder(0, true, file());
  const auto call = [&](const std::string& title) {
    recorder.begin_call(&recorder, title);
    recorder.end_call(&recorder);
  };
  constexpr int many = 10'000;
  for (int k = 0; k < many; ++k) call("call " + std::to_string(k));
  call("call 0");
  EXPECT_EQ(recorder.lane().back().text, "call 0");
}

TEST_F(Trace, RecorderTellsWaitingFromComputing) {
  Recorder recorder(0, true, file());
  recorder.begin_call(&recorder, "call");
  recorder.missed();  // looked once, and went on computing
  recorder.arrived(1, 7, 8);
  recorder.released(7, trace_clock());
  EXPECT_EQ(kinds_of(recorder.lane())[SpanKind::wait], 0);
  {
    const Recorder::Blocking blocking(&recorder);
    recorder.missed();
    recorder.missed();
    recorder.arrived(1, 8, 8);
  }
  recorder.end_call(&recorder);
  EXPECT_EQ(kinds_of(recorder.lane())[SpanKind::wait], 1);
  recorder.begin_call(&recorder, "call");
  recorder.end_call(&recorder);
  EXPECT_EQ(kinds_of(recorder.lane())[SpanKind::compute], 1);
}

}  // namespace
}  // namespace tutti::runtime
