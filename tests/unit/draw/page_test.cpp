/// @file
/// The page that plays steps, as text. tests/web has it in a browser.

#include "draw/page/page.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "draw/colors.hpp"
#include "draw/page/timeline_excerpt.hpp"
#include "draw/timeline/timeline_signs.hpp"
#include "schedule/model/choice.hpp"
#include "support/sanitizers.hpp"
#include "topology/families/families.hpp"
#include "topology/formats/named.hpp"
#include "tutti/error.hpp"

namespace tutti::draw {
namespace {

using Json = nlohmann::json;

ScheduleFrames frames_for(const std::string& algorithm, const Problem& problem, const Topology& topology) {
  return frames_of(record(algorithms::fitting(problem, algorithm), problem), topology);
}

Json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = page.find(begin);
  EXPECT_NE(at, std::string::npos);
  return Json::parse(page.substr(at + begin.size(), page.find("</script>", at) - at - begin.size()));
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

struct Example {
  TopologyPtr topology = hypercube_topology(3);
  Problem problem{.collective = Collective::broadcast, .ranks = 8, .count = 8};
  ScheduleFrames frames = frames_for("binomial", problem, *topology);
  Arrangement arrangement = arrangement_of(*topology);
};

TEST(Page, HoldsTheStepsAndTheNetwork) {
  const Example example;
  const Json data = data_of(html_of(example.frames, example.arrangement));
  EXPECT_EQ(data["steps"], 3);
  ASSERT_EQ(data["frames"].size(), 3u);
  EXPECT_EQ(data["frames"][2]["arrows"].size(), 4u);
  EXPECT_EQ(data["frames"][2]["ranks"].size(), 8u);
  EXPECT_EQ(data["layout"]["vertices"].size(), 8u);
  EXPECT_EQ(data["layout"]["wires"].size(), 12u);
  EXPECT_FALSE(data.contains("timeline"));
}

using Texts = std::vector<std::string>;

// A rank's row has what it holds only where that differs from what it held.
TEST(Page, SaysWhatARankHoldsWhereItChanges) {
  Example example;
  const std::vector<std::pair<Texts, Texts>> held{{{"a"}, {"a"}}, {{"a"}, {"b"}}, {{"b"}, {"b"}}, {{"c"}, {"c"}}};
  example.frames.shown.resize(held.size(), example.frames.shown.front());
  for (std::size_t k = 0; k < held.size(); ++k)
    example.frames.shown[k].ranks = {{.before = held[k].first, .after = held[k].second, .operations = {}, .sent = {}}};
  const Json data = data_of(html_of(example.frames, example.arrangement));
  std::vector<std::vector<Texts>> rows;
  for (const Json& frame : data["frames"]) {
    rows.emplace_back();
    for (const Json& numbers : frame["ranks"][0]) {
      rows.back().emplace_back();
      for (const std::size_t number : numbers) rows.back().back().push_back(data["texts"][number]);
    }
  }
  EXPECT_EQ(rows, (std::vector<std::vector<Texts>>{{{}, {"a"}, {"a"}}, {{}, {"b"}}, {{}}, {{}, {"c"}, {"c"}}}));
}

// The color of that name, on white ground and below it on black.
void expect_color(const std::string& page, std::string_view name, std::string_view light) {
  const auto* dark = std::find_if(dark_colors.begin(), dark_colors.end(),
                                  [&](const DarkColor& color) { return color.on_white == light; });
  ASSERT_NE(dark, dark_colors.end()) << name;
  for (const std::string_view color : {light, dark->on_black})
    EXPECT_EQ(count(page, fmt::format("--{}: {};", name, color)), 1u) << name;
}

TEST(Page, HasTheColorsOfDrawings) {
  const Example example;
  const std::string page = html_of(example.frames, example.arrangement);
  for (const timeline::SpanKind kind : timeline::all_kinds) expect_color(page, name_of(kind), fill_of(kind));
}

TEST(Page, HasTheGroundsOfPhases) {
  const Example example;
  const std::string page = html_of(example.frames, example.arrangement);
  for (std::size_t k = 0; k < distinct_tints.size(); ++k)
    expect_color(page, fmt::format("phase-{}", k), distinct_tints[k]);
}

// A page tells messages that pass other ranks apart by the same colors as a picture.
TEST(Page, ColorsMessagesAsPicturesDo) {
  const TopologyPtr ring = topology_named("ring:8");
  const ScheduleFrames frames = frames_for("binomial", Example().problem, *ring);
  const std::string page = html_of(frames, arrangement_of(*ring));
  const Json data = data_of(page);
  EXPECT_EQ(data["distinctColors"], distinct_colors.size());
  EXPECT_EQ(data["frames"][2]["arrows"][3][0], 4);  // the number, which chooses the color
  EXPECT_THAT(page, testing::HasSubstr("Colors only tell messages apart."));
  for (std::size_t k = 0; k < distinct_colors.size(); ++k)
    expect_color(page, fmt::format("apart-{}", k), distinct_colors[k]);
  const Example neighbours;
  const Json plain = data_of(html_of(neighbours.frames, neighbours.arrangement));
  EXPECT_FALSE(plain.contains("distinctColors"));
}

TEST(Page, SaysSizesInBytesWhereAsked) {
  Problem problem = Example().problem;
  problem.count = 1 << 20;
  const TopologyPtr cube = hypercube_topology(3);
  const Schedule schedule = record(algorithms::fitting(problem, "binomial"), problem);
  const std::string page = html_of(frames_of(schedule, *cube, {}, Unit::bytes), arrangement_of(*cube));
  EXPECT_THAT(page, testing::HasSubstr("0 sends M to 4 (1MiB)"));
  EXPECT_EQ(data_of(page)["unit"], "bytes");
  EXPECT_FALSE(data_of(html_of(frames_of(schedule, *cube), arrangement_of(*cube))).contains("unit"));
}

TEST(Page, SaysEveryMessageInWords) {
  const Example example;
  const std::string page = html_of(example.frames, example.arrangement);
  for (const Frame& frame : example.frames.shown) {
    for (const Arrow& arrow : frame.arrows)
      EXPECT_THAT(page, testing::HasSubstr(std::to_string(arrow.from) + " sends M to " + std::to_string(arrow.to) +
                                           " (8 elements)"));
  }
}

TEST(Page, IsTheSameEveryTime) {
  const Example example;
  EXPECT_EQ(html_of(example.frames, example.arrangement), html_of(example.frames, example.arrangement));
}

TEST(Page, NothingInTheDataEndsItsElement) {
  Example example;
  const std::string plain = html_of(example.frames, example.arrangement);
  const std::string hostile = "</script><!--<script>\xff{{title}}";
  example.frames.title = hostile;
  example.frames.legend = hostile;
  example.frames.notes = {hostile};
  example.frames.shown[0].arrows[0].content = hostile;
  example.frames.shown[0].ranks[0].operations = {hostile};
  const std::string page = html_of(example.frames, example.arrangement);
  for (const char* tag : {"<script", "</script>", "<!--"}) EXPECT_EQ(count(page, tag), count(plain, tag)) << tag;
  const Json data = data_of(page);
  const std::size_t content = data["frames"][0]["arrows"][0][4];
  EXPECT_EQ(data["texts"][content], "</script><!--<script>\xef\xbf\xbd{{title}}");
}

TEST(Page, Of64RanksAnd12StepsIsBelow3MiB) {
  test::Sample sample;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    if (!sample.takes_next()) continue;
    Problem problem{.collective = algorithm->collective, .ranks = 64, .count = 64};
    if (problem.collective == Collective::barrier) problem.count = 0;
    if (unmet_need(*algorithm, problem)) continue;
    const TopologyPtr topology = full_topology(64);
    const ScheduleFrames frames = frames_of(record(*algorithm, problem), *topology, {.ranks = 64, .last = 12});
    EXPECT_LE(html_of(frames, arrangement_of(*topology)).size(), 3u << 20) << algorithm->name;
  }
}

timeline::Timeline timeline_of(std::size_t ranks, std::size_t spans) {
  timeline::Timeline timeline{.title = "<run>"};
  timeline.lanes.resize(ranks);
  for (timeline::Lane& lane : timeline.lanes) {
    for (std::size_t k = 0; k < spans; ++k) {
      const auto begin = static_cast<double>(k);
      lane.push_back({.kind = timeline::SpanKind::compute, .begin = begin, .end = begin + 1});
    }
  }
  put_in_order(timeline);
  return timeline;
}

std::vector<std::string> keys_in(const Json& page) {
  std::vector<std::string> words;
  for (const Json& key : page["timeline"]["keys"]) words.push_back(key["words"]);
  return words;
}

TEST(Page, ShowsATimelineBesideTheStepsOrAlone) {
  timeline::Timeline timeline = timeline_of(2, 3);
  timeline.lanes[0].push_back({.kind = timeline::SpanKind::send, .begin = 0, .end = 2, .peer = 1, .message = 1});
  timeline.lanes[1].push_back({.kind = timeline::SpanKind::receive, .begin = 1, .end = 2, .peer = 0, .message = 1});
  timeline.messages.push_back({.from = 0, .to = 1, .bytes = 8, .begin = 0, .end = 2});
  put_in_order(timeline);
  const Example example;
  const Json both = data_of(html_of(example.frames, example.arrangement, &timeline));
  const std::string page = html_of(timeline);
  const Json alone = data_of(page);
  EXPECT_THAT(page, testing::HasSubstr("<h1>&lt;run&gt;</h1>"));
  EXPECT_FALSE(alone.contains("frames"));
  EXPECT_EQ(both["timeline"], alone["timeline"]);
  EXPECT_EQ(alone["timeline"]["seconds"], 3);
  EXPECT_EQ(alone["timeline"]["lanes"][0]["rows"], 2);
  EXPECT_EQ(alone["timeline"]["messages"][0]["fromRow"], 1) << "sends stand below work";
  EXPECT_THAT(keys_in(alone), testing::ElementsAre("compute", "send", "receive"));
  const auto spans_of_message = [&](const Json& lane) {
    return std::count_if(lane["spans"].begin(), lane["spans"].end(),
                         [](const Json& span) { return span.contains("message") && span["message"] == 0; });
  };
  for (const Json& lane : alone["timeline"]["lanes"]) EXPECT_EQ(spans_of_message(lane), 1);
  EXPECT_EQ(alone["timeline"]["lanes"][0]["spans"].back()["critical"], true);
}

// Phases have a row of their own above all else, and grounds by name; the key names them where they are few.
TEST(Page, NamesThePhasesOfATimeline) {
  const auto data_with = [](std::size_t phases) {
    timeline::Timeline timeline = timeline_of(1, phases);
    for (std::size_t k = 0; k < phases; ++k) {
      const auto begin = static_cast<double>(k);
      timeline.lanes[0].push_back(
          {.kind = timeline::SpanKind::phase, .begin = begin, .end = begin + 1, .text = fmt::format("part {}", k)});
    }
    put_in_order(timeline);
    return data_of(html_of(timeline));
  };
  const Json few = data_with(2);
  EXPECT_THAT(keys_in(few), testing::ElementsAre("part 0", "part 1", "compute"));
  EXPECT_EQ(few["timeline"]["lanes"][0]["rows"], 2);
  std::vector<int> grounds;
  for (const Json& span : few["timeline"]["lanes"][0]["spans"]) {
    EXPECT_EQ(span["row"], span["kind"] == "phase" ? 0 : 1);
    if (span.contains("ground")) grounds.push_back(span["ground"]);
  }
  EXPECT_THAT(grounds, testing::ElementsAre(0, 1));
  EXPECT_THAT(keys_in(data_with(9)), testing::ElementsAre("phase", "compute"));
}

TEST(Page, SaysWhatOfATimelineIsLeftOut) {
  const auto lanes_in = [](const std::string& page) { return data_of(page)["timeline"]["lanes"].size(); };
  const std::string wide = html_of(timeline_of(most_lanes_on_page + 1, 1));
  EXPECT_EQ(lanes_in(wide), most_lanes_on_page);
  EXPECT_THAT(wide, testing::HasSubstr("Only the first 64 of 65 ranks are shown."));
  const std::string dense = html_of(timeline_of(20, most_spans_on_page / 10));
  EXPECT_EQ(lanes_in(dense), 10u);
  EXPECT_THAT(dense, testing::HasSubstr("Only the first 10 of 20 ranks are shown."));
}

// All ranks are shown if few would be, and short spans are shown together, but for long spans and their messages.
TEST(Page, ShowsShortSpansTogetherWhereTheyAreMany) {
  const double half = most_spans_on_page;
  timeline::Timeline timeline = timeline_of(3, most_spans_on_page);
  for (timeline::Lane& lane : timeline.lanes) {
    for (timeline::Span& span : lane) {
      span.begin += 2 * half;
      span.end += 2 * half;
    }
  }
  timeline.lanes[0].push_back({.kind = timeline::SpanKind::send, .begin = 0, .end = half, .peer = 1, .message = 1});
  timeline.lanes[1].push_back(
      {.kind = timeline::SpanKind::receive, .begin = half, .end = 2 * half, .peer = 0, .message = 1});
  timeline.lanes[1].push_back({.kind = timeline::SpanKind::send, .begin = 1, .end = 2, .peer = 0, .message = 2});
  timeline.lanes[0].push_back({.kind = timeline::SpanKind::receive, .begin = 1, .end = 2, .peer = 1, .message = 2});
  timeline.messages.push_back({.from = 0, .to = 1, .bytes = 8, .begin = 0, .end = 2 * half});
  timeline.messages.push_back({.from = 1, .to = 0, .bytes = 4, .begin = 1, .end = 2});
  timeline.lanes[1].push_back({.kind = timeline::SpanKind::send, .begin = 2, .end = 3});
  put_in_order(timeline);
  const std::string page = html_of(timeline);
  const Json data = data_of(page)["timeline"];
  EXPECT_THAT(page, testing::HasSubstr("are shown together with their neighbours, without their messages."));
  ASSERT_EQ(data["lanes"].size(), 3u);
  EXPECT_THAT(page, testing::HasSubstr("2 short spans, send for the most part"));
  EXPECT_THAT(page, testing::HasSubstr("20000 short spans, compute for the most part"));
  std::size_t spans = 0;
  for (const Json& lane : data["lanes"]) spans += lane["spans"].size();
  EXPECT_LE(spans, most_spans_on_page);
  ASSERT_EQ(data["messages"].size(), 1u);
  EXPECT_EQ(data["messages"][0]["bytes"], 8);
}

// A rank that is alone sends nothing.
TEST(Page, ShowsShortSpansTogetherWhereNothingIsSent) {
  const Json data = data_of(html_of(timeline_of(1, most_spans_on_page + 1)))["timeline"];
  EXPECT_LE(data["lanes"][0]["spans"].size(), most_spans_on_page);
  EXPECT_EQ(data["messages"], Json::array());
}

}  // namespace
}  // namespace tutti::draw
