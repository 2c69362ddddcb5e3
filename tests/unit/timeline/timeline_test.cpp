/// @file
/// Timelines: their critical path, who waited for whom, their rows, their traces.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "support/late_sender.hpp"
#include "timeline/analysis.hpp"
#include "timeline/chrome_trace.hpp"
#include "timeline/summary.hpp"
#include "tutti/error.hpp"

namespace tutti::timeline {
namespace {

using Json = nlohmann::json;
using test::late_sender;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::pair<int, SpanKind>> kinds_on(const Timeline& timeline) {
  std::vector<std::pair<int, SpanKind>> kinds;
  for (const CriticalSpan& at : critical_path(timeline)) {
    kinds.emplace_back(at.rank, timeline.lanes[static_cast<std::size_t>(at.rank)][at.span].kind);
  }
  return kinds;
}

TEST(CriticalPath, GoesThroughTheRankThatWasWaitedFor) {
  using At = std::pair<int, SpanKind>;
  EXPECT_THAT(kinds_on(late_sender()),
              ElementsAre(At(0, SpanKind::compute), At(1, SpanKind::receive), At(1, SpanKind::reduce)));
}

TEST(CriticalPath, StaysOnARankThatWaitedForNobody) {
  Timeline timeline = late_sender();
  timeline.lanes[2].front().end = 20;
  put_in_order(timeline);
  using At = std::pair<int, SpanKind>;
  EXPECT_THAT(kinds_on(timeline), ElementsAre(At(2, SpanKind::compute)));
}

TEST(CriticalPath, OfAWaitItTakesWhatCameAfterItsCause) {
  // The message lay in the air from 5 to 6: that is on the path, not the wait from 1 to 5.
  Timeline timeline;
  timeline.lanes = {{{.kind = SpanKind::compute, .begin = 0, .end = 5}},
                    {{.kind = SpanKind::wait, .begin = 1, .end = 6, .peer = 0, .after = 0, .since = 5},
                     {.kind = SpanKind::receive, .begin = 6, .end = 7, .peer = 0}}};
  put_in_order(timeline);
  const std::vector<double> seconds = seconds_by_kind(timeline, critical_path(timeline));
  EXPECT_EQ(seconds[static_cast<std::size_t>(SpanKind::compute)], 5);
  EXPECT_EQ(seconds[static_cast<std::size_t>(SpanKind::wait)], 1);
  EXPECT_EQ(seconds[static_cast<std::size_t>(SpanKind::receive)], 1);
}

TEST(CriticalPath, EndsEvenWhereCausesFormACircle) {
  Timeline timeline;
  for (int rank = 0; rank < 2; ++rank) {
    timeline.lanes.push_back(
        {{.kind = SpanKind::send, .begin = 1, .end = 1, .peer = 1 - rank, .after = 1 - rank, .since = 1}});
  }
  put_in_order(timeline);
  EXPECT_LE(critical_path(timeline).size(), 2U);
  EXPECT_TRUE(critical_path(Timeline{}).empty());
}

TEST(Waits, SumUpByRankAndPeerTheLongestFirst) {
  Timeline timeline = late_sender();
  timeline.lanes[2].push_back({.kind = SpanKind::wait, .begin = 8, .end = 9, .peer = 1});
  timeline.lanes[2].push_back({.kind = SpanKind::wait, .begin = 9, .end = 10, .peer = 1});
  timeline.lanes[2].push_back({.kind = SpanKind::wait, .begin = 10, .end = 30});
  const std::vector<WaitTotal> waits = waits_of(timeline);
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_EQ(waits[0].rank, 1);
  EXPECT_EQ(waits[0].peer, 0);
  EXPECT_EQ(waits[0].seconds, 4);
  EXPECT_EQ(waits[1].times, 2);
  EXPECT_EQ(waits[1].seconds, 2);
}

// Rank 3 waits for 2, which waits for 1, which waits for 0, which computes.
TEST(Waits, AreOnAccountOfTheRankThatIsLate) {
  Timeline timeline;
  timeline.lanes.push_back({{.kind = SpanKind::compute, .begin = 0, .end = 10}});
  for (int rank = 1; rank < 4; ++rank)
    timeline.lanes.push_back({{.kind = SpanKind::wait, .begin = 0.1 * rank, .end = 10.0 + rank, .peer = rank - 1}});
  put_in_order(timeline);
  for (const WaitTotal& waiting : waits_of(timeline)) EXPECT_EQ(cause_of(timeline, waiting), 0);
  EXPECT_THAT(summary_of(timeline), Contains(HasSubstr("rank 3 12.7s for 2 (held up by 0)")));
  timeline.lanes[0] = {{.kind = SpanKind::wait, .begin = 0, .end = 20, .peer = 3}};  // a circle has an end, too
  for (const WaitTotal& waiting : waits_of(timeline)) EXPECT_GE(cause_of(timeline, waiting), 0);
}

// Each waits nearly as long as the one behind it, and the first ones during a small part of the last one's wait.
TEST(Waits, AreTracedThroughManyRanks) {
  Timeline timeline;
  timeline.lanes.push_back({{.kind = SpanKind::compute, .begin = 0, .end = 1}});
  for (int rank = 1; rank < 12; ++rank)
    timeline.lanes.push_back({{.kind = SpanKind::wait, .begin = 0, .end = 1.0 * rank, .peer = rank - 1}});
  put_in_order(timeline);
  for (const WaitTotal& waiting : waits_of(timeline)) EXPECT_EQ(cause_of(timeline, waiting), 0);
}

TEST(Summary, SaysHowLongWhyAndWhoWaited) {
  const std::vector<std::string> lines = summary_of(late_sender());
  EXPECT_THAT(lines,
              ElementsAre("3 ranks, 1 message, 9s", HasSubstr("over ranks 0, 1: compute 5s, receive 2s, reduce 2s"),
                          HasSubstr("rank 1 4s for 0")));
}

// Spans of one row nest or lie apart, whatever they are.
TEST(Places, NoRowHasSpansThatCross) {
  Timeline timeline;
  Lane& lane = timeline.lanes.emplace_back();
  unsigned random = 7;
  const auto next = [&](unsigned most) {
    return static_cast<double>((random = random * 1664525U + 1013904223U) >> 16 & 0xfff) * most / 0xfff;
  };
  for (int k = 0; k < 300; ++k) {
    const double begin = next(100);
    lane.push_back(
        {.kind = all_kinds[static_cast<std::size_t>(k) % all_kinds.size()], .begin = begin, .end = begin + next(20)});
  }
  put_in_order(timeline);
  const std::vector<SpanRow> places = places_of(lane);
  for (std::size_t a = 0; a < lane.size(); ++a) {
    EXPECT_EQ(places[a].group, group_of(lane[a].kind));
    for (std::size_t b = a + 1; b < lane.size(); ++b) {
      if (places[a].group != places[b].group || places[a].row != places[b].row) continue;
      const bool apart = lane[b].begin >= lane[a].end;
      EXPECT_TRUE(apart || lane[b].end <= lane[a].end) << a << ' ' << b;
    }
  }
}

// Their times are sums, each a little wrong.
TEST(Places, SpansThatFollowOneAnotherShareARow) {
  for (const auto& [step, start] : {std::pair(1e-12, 0.0), std::pair(1e-9, 1.0), std::pair(3.001e-6, 1e3)}) {
    Lane lane;
    for (int k = 0; k < 500; ++k)
      lane.push_back(
          {.kind = SpanKind::send, .begin = start + k * step, .end = (start + (k + 1) * step) * (1 + 5e-16)});
    for (const SpanRow& place : places_of(lane)) EXPECT_EQ(place.row, 0) << step << " from " << start;
  }
}

// ---- Traces

TEST(ChromeTrace, HasTheEventsThatViewersKnow) {
  const Json events = Json::parse(chrome_trace(late_sender()));
  ASSERT_TRUE(events.is_array());
  std::map<std::string, int> phases;
  std::map<std::string, std::pair<double, double>> flows;
  for (const Json& event : events) {
    const std::string phase = event["ph"];
    ++phases[phase];
    ASSERT_TRUE(event["pid"].is_number_integer() && event["tid"].is_number_integer() && event["name"].is_string());
    if (phase != "M") {
      ASSERT_TRUE(event["ts"].is_number());
    }
    if (phase == "X") {
      EXPECT_GE(event["dur"].get<double>(), 0);
    }
    if (phase == "s") flows[event["id"]].first = event["ts"];
    if (phase == "f") {
      flows[event["id"]].second = event["ts"];
      EXPECT_EQ(event["bp"], "e");
    }
  }
  EXPECT_EQ(phases["X"], 8);
  EXPECT_EQ(phases["s"], 1);
  EXPECT_EQ(phases["f"], 1);
  for (const auto& [id, times] : flows) {
    EXPECT_EQ(times.first, 5e6);
    EXPECT_GE(times.second, times.first);
  }
  EXPECT_THAT(events.dump(), HasSubstr("\"rank 2\""));
}

TEST(ChromeTrace, ReadsBackWhatItWrites) {
  const Timeline timeline = late_sender();
  const Timeline back = timeline_from(chrome_trace(timeline), "t.json");
  EXPECT_EQ(back.title, timeline.title);
  EXPECT_EQ(back.seconds, timeline.seconds);
  ASSERT_EQ(back.messages.size(), 1U);
  EXPECT_EQ(back.messages[0].from, 0);
  EXPECT_EQ(back.messages[0].to, 1);
  EXPECT_EQ(back.messages[0].end, 7);
  EXPECT_EQ(back.lanes[0][0].text, "send");
  EXPECT_EQ(kinds_on(back), kinds_on(timeline));
}

std::string line(const std::string& kind, int rank, double begin, double end, const std::string& more) {
  return "{\"ph\":\"X\",\"name\":\"n\",\"cat\":\"" + kind + "\",\"pid\":" + std::to_string(rank) +
         ",\"tid\":0,\"ts\":" + std::to_string(begin) + ",\"dur\":" + std::to_string(end - begin) + ",\"args\":{" +
         more + "}}";
}

// A call within which nothing is traced is on nobody's path, but takes its time.
TEST(Summary, SaysHowMuchOfTheTimeNothingExplains) {
  const auto told = [](double first) {
    Timeline timeline{.title = "", .lanes = {{{.kind = SpanKind::call, .begin = 0, .end = first}}}};
    timeline.lanes[0].push_back({.kind = SpanKind::compute, .begin = first, .end = first + 2e-6});
    put_in_order(timeline);
    return summary_of(timeline);
  };
  EXPECT_THAT(told(10e-6), Contains("Critical path on rank 0: compute 2us, untraced 10us"));
  EXPECT_THAT(told(0), Contains("Critical path on rank 0: compute 2us"));
}

// Ranks of a run write it so: nobody knows the other's times, numbers return, and the clock began long ago.
TEST(ChromeTrace, JoinsTheSidesOfMessagesAndExplainsWaits) {
  const std::string message = R"("message":"0xff","peer":)";
  std::string text = "[" + line("send", 0, 1005, 1006, message + "1");
  text += "," + line("send", 0, 1025, 1026, message + "1");
  text += "," + line("wait", 0, 1026, 1031, message + "1");
  text += "," + line("wait", 1, 1000, 1007, message + "0");
  text += "," + line("receive", 1, 1007, 1008, message + "0");
  text += "," + line("receive", 1, 1028, 1030, message + "0");
  text += "," + line("send", 1, 1031, 1032, R"("message":"0x1","peer":0)") + "]";  // its receiver was lost
  const Timeline timeline = timeline_from(text, "run.json");
  ASSERT_EQ(timeline.messages.size(), 2U);
  EXPECT_NEAR(timeline.messages[0].begin, 5e-6, 1e-12);
  EXPECT_NEAR(timeline.messages[0].end, 8e-6, 1e-12);
  EXPECT_NEAR(timeline.messages[1].end, 30e-6, 1e-12);
  const Span& for_message = timeline.lanes[1][0];
  EXPECT_EQ(for_message.after, 0);
  EXPECT_NEAR(for_message.since, 5e-6, 1e-12);
  const Span& for_reader = timeline.lanes[0][2];
  EXPECT_EQ(for_reader.message, 2U);
  EXPECT_EQ(for_reader.after, 1);
  EXPECT_NEAR(for_reader.since, 30e-6, 1e-12);
  EXPECT_EQ(timeline.lanes[1].back().message, 0U);
}

// One number returns with every message.
TEST(ChromeTrace, FindsTheMessageOfEachWaitAmongManyOfOneNumber) {
  constexpr int times = 50;
  std::string text;
  const auto add = [&](const std::string& event) { text += (text.empty() ? "[" : ",") + event; };
  for (int k = 0; k < times; ++k) {
    const int at = 10 * k;
    add(line("send", 0, at + 2, at + 3, R"("message":"0xff","peer":1)"));
    add(line("wait", 1, at, at + 4, R"("message":"0xff","peer":0)"));
    add(line("receive", 1, at + 4, at + 5, R"("message":"0xff","peer":0)"));
    add(line("wait", 0, at + 3, at + 6, R"("message":"0xff","peer":1)"));
  }
  const Timeline timeline = timeline_from(text + "]", "run.json");
  ASSERT_EQ(timeline.messages.size(), std::size_t{times});
  for (const Lane& lane : timeline.lanes) {
    for (const Span& span : lane) {
      const auto k = static_cast<std::uint64_t>(std::lround(span.begin * 1e6)) / 10;
      EXPECT_EQ(span.message, k + 1) << words_of(span) << " at " << span.begin;
    }
  }
}

// Rank 1 asks again and again whether the message has come, which is no wait.
TEST(ChromeTrace, FindsWhatLetARankGoOnThatPolled) {
  const std::string message = R"("message":"0xff","peer":)";
  std::string text = "[" + line("compute", 0, 0, 100, "");
  text += "," + line("send", 0, 100, 101, message + "1");
  text += "," + line("compute", 1, 0, 10, "");
  text += "," + line("receive", 1, 102, 103, message + "0") + "]";
  const Timeline timeline = timeline_from(text, "run.json");
  const Span& receive = timeline.lanes[1].back();
  EXPECT_EQ(receive.after, 0);
  EXPECT_NEAR(receive.since, 100e-6, 1e-12);
  EXPECT_THAT(summary_of(timeline), Contains(HasSubstr("Critical path over ranks 0, 1: compute 100us")));
}

TEST(ChromeTrace, TakesObjectsAndPassesOverOtherEvents) {
  const std::string ours = line("compute", 2, 0, 1, "");
  const Timeline timeline = timeline_from(
      R"({"traceEvents":[{"ph":"B","name":"x"},{"ph":"X","cat":"gpu","name":"kernel","pid":"a"},)" + ours + "]}", "t");
  EXPECT_EQ(timeline.lanes.size(), 3U);
}

TEST(ChromeTrace, RefusesWhatItCannotRead) {
  const auto sentence = [](const std::string& text) {
    try {
      timeline_from(text, "t.json");
      return std::string("accepted");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      return std::string(error.what());
    }
  };
  EXPECT_THAT(sentence("["), HasSubstr("t.json: parse error at line 1"));
  EXPECT_THAT(sentence("3"),
              HasSubstr("t.json: must be a list of events, as TUTTI_TRACE=FILE and 'tutti draw … --timeline"));
  EXPECT_THAT(sentence("[]"), HasSubstr("holds no span"));
  EXPECT_THAT(sentence("[1]"), HasSubstr("event 0: must be an object"));
  EXPECT_THAT(sentence(R"([{"ph":"X","cat":"send","ts":1,"dur":1}])"), HasSubstr("\"pid\" must be a rank"));
  EXPECT_THAT(sentence(R"([{"ph":"X","cat":"send","pid":-1,"ts":1,"dur":1}])"), HasSubstr("from 0 to"));
  EXPECT_THAT(sentence(R"([{"ph":"X","cat":"send","pid":1,"dur":1}])"), HasSubstr("\"ts\" must be a number"));
  EXPECT_THAT(sentence("[" + line("send", 0, 2, 1, "") + "]"), HasSubstr("\"dur\" must be at least 0"));
  EXPECT_THAT(sentence(R"([{"ph":"X","cat":"send","pid":1,"ts":1e308,"dur":1e308}])"),
              HasSubstr("\"ts\" must be a time"));
  EXPECT_THAT(sentence("[" + line("send", 0, 1, 2, R"("message":"x")") + "]"), HasSubstr("hexadecimal"));
}

}  // namespace
}  // namespace tutti::timeline
