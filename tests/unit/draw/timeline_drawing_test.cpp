/// @file
/// Timelines as pictures.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "draw/svg.hpp"
#include "draw/timeline.hpp"
#include "draw/timeline_selection.hpp"
#include "support/late_sender.hpp"
#include "support/text_width.hpp"
#include "support/xml.hpp"
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

TEST(TimelineDrawing, StaysReadableWhereThereIsTooMuch) {
  Timeline timeline{.title = "much"};
  timeline.lanes.resize(200);
  for (int rank = 0; rank < 200; ++rank) {
    for (int k = 0; k < 400; ++k) {
      timeline.messages.push_back({rank, (rank + 1) % 200, 8, k * 1e-6, (k + 1) * 1e-6});
      timeline.lanes[static_cast<std::size_t>(rank)].push_back({.kind = Kind::send,
                                                                .begin = k * 1e-6,
                                                                .end = (k + 0.5 + 0.001 * k) * 1e-6,
                                                                .message = timeline.messages.size()});
    }
  }
  put_in_order(timeline);
  const draw::TimelineDrawing drawing = draw::drawing_of(timeline);
  EXPECT_THAT(drawing.notes,
              ElementsAre("Only ranks 0 to 63 of 200 are drawn", HasSubstr("are left out"), HasSubstr("Arrows")));
  EXPECT_EQ(groups(drawing.svg, "lane"), 64U);
  EXPECT_LE(groups(drawing.svg, "send"), draw::most_spans);
  EXPECT_LE(drawing.svg.size(), std::size_t{2} << 20);
}

TEST(TimelineDrawing, RefusesToDrawNothing) { EXPECT_THROW(draw::drawing_of(Timeline{}), Error); }

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
