/// @file
/// Timelines as pictures.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "draw/svg.hpp"
#include "draw/timeline/packets.hpp"
#include "draw/timeline/timeline.hpp"
#include "draw/timeline/timeline_bars.hpp"
#include "draw/timeline/timeline_selection.hpp"
#include "draw/timeline/timeline_steps.hpp"
#include "support/late_sender.hpp"
#include "support/text_width.hpp"
#include "support/xml.hpp"
#include "timeline/analysis.hpp"
#include "tutti/error.hpp"

namespace tutti::timeline {
namespace {

using test::late_sender;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<test::Element> named(const std::string& svg, const std::string& name) {
  std::vector<test::Element> found = test::elements_of(svg);
  std::erase_if(found, [&](const test::Element& element) { return element.name != name; });
  return found;
}

std::size_t groups(const std::string& svg, const std::string& kind) {
  const std::vector<test::Element> all = named(svg, "g");
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const test::Element& element) {
    const auto found = element.attributes.find("class");
    return found != element.attributes.end() && found->second == kind;
  }));
}

TEST(TimelineDrawing, ShowsLanesSpansMessagesAndThePath) {
  const draw::TimelineDrawing drawing = draw::drawing_of(late_sender());
  EXPECT_TRUE(drawing.notes.empty());
  EXPECT_EQ(groups(drawing.svg, "lane"), 3U);
  EXPECT_EQ(groups(drawing.svg, "wait"), 1U);
  EXPECT_EQ(groups(drawing.svg, "compute"), 3U);
  EXPECT_EQ(groups(drawing.svg, "critical-path"), 1U);
  const std::vector<test::Element> lines = named(drawing.svg, "polyline");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(std::count(lines[0].attributes.at("points").begin(), lines[0].attributes.at("points").end(), ','), 6);
  std::vector<std::string> texts;
  for (const test::Element& text : named(drawing.svg, "text")) texts.push_back(text.text);
  EXPECT_THAT(texts, ::testing::IsSupersetOf({std::string("rank 2"), std::string("for 0"), std::string("critical path"),
                                              std::string("wait"), late_sender().title}));
  EXPECT_EQ(drawing.svg, draw::drawing_of(late_sender()).svg);
}

TEST(TimelineDrawing, TextsNeitherOverlapNorLeaveThePicture) {
  const std::string svg = draw::drawing_of(late_sender()).svg;
  const test::Element frame = test::elements_of(svg).front();
  std::vector<std::array<double, 4>> boxes;
  for (const test::Element& text : named(svg, "text")) {
    const double size = text.number("font-size");
    const double width = test::width_of(text);
    const std::string& anchor = text.attributes.at("text-anchor");
    const double left = text.number("x") - (anchor == "start" ? 0 : anchor == "middle" ? width / 2 : width);
    boxes.push_back({left, left + width, text.number("y") - 0.8 * size, text.number("y") + 0.2 * size});
    EXPECT_GE(left, 0) << text.text;
    EXPECT_LE(left + width, frame.number("width")) << text.text;
    for (std::size_t k = 0; k + 1 < boxes.size(); ++k) {
      const bool overlap = boxes[k][0] < boxes.back()[1] && boxes.back()[0] < boxes[k][1] &&
                           boxes[k][2] < boxes.back()[3] && boxes.back()[2] < boxes[k][3];
      EXPECT_FALSE(overlap) << text.text;
    }
  }
}

TEST(TimelineDrawing, NamesPhasesWhereTheyHaveRoomAndInTheKey) {
  Timeline timeline = late_sender();
  for (const auto& [begin, end, name] : {std::tuple{0.0, 5.0, "rows"}, {5.0, 6.99, "columns"}, {6.99, 7.0, "last"}})
    timeline.lanes[0].push_back({.kind = SpanKind::phase, .begin = begin, .end = end, .text = name});
  put_in_order(timeline);
  const std::string svg = draw::drawing_of(timeline).svg;
  std::map<std::string, int> texts;
  for (const test::Element& text : named(svg, "text")) ++texts[text.text];
  EXPECT_EQ(texts["rows"], 2);
  EXPECT_EQ(texts["columns"], 2);
  EXPECT_EQ(texts["last"], 1);  // no room in the lane
  EXPECT_EQ(groups(svg, "phase"), 3U);
  EXPECT_EQ(texts["Phases: rows 0 to 5s, columns 5s to 6.99s, last 6.99s to 7s"], 1);
  EXPECT_EQ(critical_path(timeline).size(), critical_path(late_sender()).size());
}

// Returns how far to the right the arrows of messages go, in pixels.
std::set<double> drawn_ways(const std::string& svg) {
  const std::size_t begin = svg.find("class=\"messages\"");
  const std::string messages = "<svg><g " + svg.substr(begin, svg.find("</g>", begin) + 4 - begin) + "</svg>";
  std::set<double> routes;
  for (const test::Element& line : named(messages, "line"))
    routes.insert(std::stod(line.attributes.at("x2")) - std::stod(line.attributes.at("x1")));
  return routes;
}

TEST(TimelineDrawing, StaysReadableWhereThereIsTooMuch) {
  Timeline timeline{.title = "much"};
  timeline.lanes.resize(200);
  for (int rank = 0; rank < 200; ++rank) {
    for (int k = 0; k < 400; ++k) {
      const double length = k % 2 == 0 ? 1 : 2;
      timeline.messages.push_back({rank, (rank + 1) % 200, 8, k * 1e-6, (k + length) * 1e-6});
      timeline.lanes[static_cast<std::size_t>(rank)].push_back({.kind = SpanKind::send,
                                                                .begin = k * 1e-6,
                                                                .end = (k + 0.5 + 0.001 * k) * 1e-6,
                                                                .message = timeline.messages.size()});
    }
  }
  put_in_order(timeline);
  const draw::TimelineDrawing drawing = draw::drawing_of(timeline);
  EXPECT_THAT(drawing.notes, ElementsAre("Only ranks 0 to 63 of 200 are drawn",
                                         HasSubstr("together with their neighbours"), HasSubstr("Arrows")));
  EXPECT_EQ(groups(drawing.svg, "lane"), 64U);
  EXPECT_LE(groups(drawing.svg, "send"), draw::most_spans);
  EXPECT_GT(critical_path(timeline).size(), draw::most_critical_arrows);
  EXPECT_EQ(named(drawing.svg, "polygon").size(), draw::most_critical_arrows + 1) << "one of them in the key";
  // Half of the messages of the path are half as long as the others, which alone have arrows.
  const std::set<double> routes = drawn_ways(drawing.svg);
  ASSERT_FALSE(routes.empty());
  EXPECT_LT(*routes.rbegin(), 1.5 * *routes.begin());
  EXPECT_LE(drawing.svg.size(), std::size_t{2} << 20);
}

// Lanes of sends, receives and reductions of random lengths.
Timeline random_timeline(unsigned seed, int spans) {
  Timeline timeline{.title = "random"};
  const auto next = [&] { return static_cast<double>((seed = seed * 1664525U + 1013904223U) >> 8) / (1U << 24); };
  for (int rank = 0; rank < 4; ++rank) {
    Lane& lane = timeline.lanes.emplace_back();
    double at = 0;
    for (int k = 0; k < spans; ++k) {
      const SpanKind kind = next() < 0.3 ? SpanKind::send : next() < 0.5 ? SpanKind::receive : SpanKind::reduce;
      const double length = next() < 0.05 ? 40 * next() : next();
      lane.push_back({.kind = kind, .begin = at, .end = at + length, .peer = 0});
      at += length + (next() < 0.2 ? 3 * next() : 0);
    }
  }
  put_in_order(timeline);
  return timeline;
}

// Every span is in a bar of its row, long ones have bars of their own, and bars of a row do not overlap.
TEST(TimelineDrawing, BarsCoverAllSpansAndAreNoShorterThanTheResolution) {
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    for (const double resolution : {0.1, 1.0, 7.0, 100.0}) {
      for (const Lane& lane : random_timeline(seed, 300).lanes) {
        const std::vector<draw::Bar> bars = draw::bars_of(lane, resolution);
        std::size_t spans = 0;
        for (const draw::Bar& bar : bars) spans += bar.spans;
        EXPECT_EQ(spans, lane.size());
        for (const Span& span : lane) {
          EXPECT_TRUE(std::any_of(bars.begin(), bars.end(), [&](const draw::Bar& bar) {
            const bool same = group_of(bar.kind) == group_of(span.kind);
            const bool holds = bar.begin <= span.begin && span.end <= bar.end;
            return same && holds && (span.end - span.begin < resolution || bar.span == &span);
          }));
        }
        for (std::size_t k = 1; k < bars.size(); ++k) {
          if (group_of(bars[k].kind) == group_of(bars[k - 1].kind)) {
            EXPECT_GE(bars[k].begin, bars[k - 1].end - 1e-9);
          }
        }
      }
    }
  }
}

// However many spans the critical path has, its line has no more corners than the picture has room for.
TEST(TimelineDrawing, TheCriticalPathIsDrawnInStretches) {
  for (const int spans : {10, 1000, 20000}) {
    const Timeline timeline = random_timeline(5, spans);
    const std::vector<CriticalSpan> path = critical_path(timeline);
    const double resolution = timeline.seconds / 500;
    const std::vector<draw::CriticalStretch> stretches = draw::stretches_of(timeline, path, resolution);
    EXPECT_LE(stretches.size(), std::min<std::size_t>(path.size(), 1001));
    for (std::size_t k = 0; k + 1 < stretches.size(); ++k) EXPECT_LE(stretches[k].end, stretches[k + 1].begin + 1e-9);
    EXPECT_NEAR(stretches.back().end, timeline.seconds, 1e-9);
  }
}

// Two ranks exchange messages twice; one message is under way alone at the end.
Timeline two_exchanges() {
  Timeline timeline{.title = "two"};
  timeline.lanes.resize(2);
  for (const double begin : {0.0, 1.0}) {
    for (const int rank : {0, 1}) {
      timeline.messages.push_back({rank, 1 - rank, 8, begin, begin + 1});
      for (const SpanKind kind : {SpanKind::send, SpanKind::receive})
        timeline.lanes[static_cast<std::size_t>(rank)].push_back(
            {.kind = kind, .begin = begin, .end = begin + 1, .peer = 1 - rank});
    }
  }
  put_in_order(timeline);
  return timeline;
}

TEST(TimelineDrawing, MarksStepsAndNamesPeers) {
  EXPECT_THAT(draw::step_ends(two_exchanges()), ElementsAre(1.0));
  std::vector<std::string> texts;
  for (const test::Element& text : named(draw::drawing_of(two_exchanges()).svg, "text")) texts.push_back(text.text);
  EXPECT_THAT(texts, ::testing::IsSupersetOf({"step 1", "step 2", "to 1", "from 1", "to 0", "from 0"}));
  // A message that is under way all the time leaves no moment for a step to end.
  Timeline overlapped = two_exchanges();
  overlapped.messages.push_back({0, 1, 8, 0.5, 1.5});
  EXPECT_TRUE(draw::step_ends(overlapped).empty());
  EXPECT_EQ(draw::peer_in({.kind = SpanKind::send, .peer = 3}, 200, 10), "to 3");
  EXPECT_EQ(draw::peer_in({.kind = SpanKind::receive, .peer = 3}, 14, 10), "3");
  EXPECT_EQ(draw::peer_in({.kind = SpanKind::receive, .peer = 3}, 4, 10), "");
  EXPECT_EQ(draw::peer_in({.kind = SpanKind::wait, .peer = 3}, 200, 10), "");
}

TEST(PacketDrawing, HasAnAxisOfTime) {
  const std::vector<std::string> links{"0-1", "1-2"};
  const draw::PacketPanel panel{
      .title = "whole", .prepared = 1e-6, .end = 3e-6, .bars = {{0, 1, 1e-6, 2e-6}, {1, 1, 2e-6, 3e-6}}};
  std::vector<std::string> texts;
  for (const test::Element& text : named(draw::svg_of_packets("title", links, {{panel}}), "text"))
    texts.push_back(text.text);
  EXPECT_THAT(texts, ::testing::IsSupersetOf({"time", "0", "1us", "2us", "3us"}));
}

TEST(TimelineDrawing, RefusesToDrawNothing) {
  EXPECT_THROW(draw::drawing_of(Timeline{}), Error);
  // No step from mark to mark is so short that a number can hold it.
  Timeline timeline = late_sender();
  timeline.seconds = 5e-324;
  EXPECT_THROW(draw::drawing_of(timeline), Error);
}

TEST(TimelineDrawing, MarksAreEvenAndWithin) {
  for (const double most : {1e-9, 3.3e-7, 1.0, 9.99, 1e4}) {
    const std::vector<double> marks = draw::even_marks(most);
    EXPECT_GE(marks.size(), 4U) << most;
    EXPECT_LE(marks.size(), 12U) << most;
    EXPECT_LE(marks.back(), most * (1 + 1e-6));
  }
}

}  // namespace
}  // namespace tutti::timeline
