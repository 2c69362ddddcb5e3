/// @file
/// Drawings: well formed, complete, readable and the same every time.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "draw/plots/plot.hpp"
#include "draw/svg.hpp"
#include "support/text_width.hpp"
#include "support/xml.hpp"
#include "tutti/error.hpp"

namespace tutti::draw {
namespace {

using test::Element;

std::vector<Element> named(const std::string& svg, const std::string& name) {
  std::vector<Element> found = test::elements_of(svg);
  std::erase_if(found, [&](const Element& element) { return element.name != name; });
  return found;
}

TEST(Xml, TheReaderRefusesWhatIsNotWellFormed) {
  for (const char* bad : {"<a>", "<a></b>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>", "<a x=\"<\"/>", "<a/><b/>"})
    EXPECT_THROW(test::elements_of(bad), std::runtime_error) << bad;
  EXPECT_EQ(test::elements_of("<a><b x=\"1\"/>t&amp;</a>").front().text, "t&");
}

TEST(Svg, EscapesWhatXmlReserves) {
  const std::string hostile = "a<b & \"c\" 'd'>";
  EXPECT_EQ(escaped(std::string("x\x01y")), "xy");
  Svg svg(100, 50, hostile);
  svg.text({1, 2}, hostile);
  const std::vector<Element> elements = test::elements_of(svg.str());
  EXPECT_EQ(elements.front().attributes.at("viewBox"), "0 0 100 50");
  EXPECT_EQ(named(svg.str(), "title").front().text, hostile);
  EXPECT_EQ(named(svg.str(), "text").front().text, hostile);
}

TEST(Svg, WritesEveryShape) {
  Svg svg(100, 50, "shapes");
  svg.line({0, 1}, {2.5, -0.001}, {"#123456", 2, "3 1"});
  svg.polyline({{0, 0}, {1, 1}}, {});
  svg.rectangle({1, 1}, 2, 2, "#ffffff");
  svg.circle({5, 5}, 1, "#000000");
  const std::vector<Element> elements = test::elements_of(svg.str());
  EXPECT_EQ(named(svg.str(), "line").front().attributes.at("y2"), "0");  // no -0
  EXPECT_EQ(named(svg.str(), "line").front().attributes.at("stroke-dasharray"), "3 1");
  EXPECT_EQ(named(svg.str(), "polyline").front().attributes.at("points"), "0,0 1,1");
  EXPECT_EQ(named(svg.str(), "circle").size(), 1u);
  EXPECT_EQ(named(svg.str(), "rect").size(), 2u);  // with the ground
  EXPECT_THROW(Svg(0, 1, "flat"), Error);
}

Plot example() {
  Plot plot{.title = "all-reduce over 4 ranks <threads>",
            .x = {"size of the message", AxisUnit::bytes},
            .y = {"time of a call", AxisUnit::seconds},
            .series = {{"median", {}}, {"the machine's limit", {}}}};
  for (int e = 3; e <= 24; ++e) {
    plot.series[0].samples.push_back({std::pow(2, e), 1e-6 + std::pow(2, e) * 1e-9});
    plot.series[1].samples.push_back({std::pow(2, e), 1e-7 + std::pow(2, e) * 0.5e-9});
  }
  return plot;
}

struct Box {
  double left, right, top, bottom;
  std::string text;
};

Box box_of(const Element& text) {
  const double size = text.number("font-size");
  const double width = test::width_of(text);
  const std::string& anchor = text.attributes.at("text-anchor");
  const double part = anchor == "start" ? 0 : anchor == "middle" ? 0.5 : 1;
  const double x = text.number("x");
  const double y = text.number("y");
  // Text turned upwards runs along y.
  if (text.attributes.contains("transform"))
    return {x - size, x + size / 4, y - (1 - part) * width, y + part * width, text.text};
  return {x - part * width, x + (1 - part) * width, y - size, y + size / 4, text.text};
}

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

void expect_readable(const std::string& svg) {
  const Element frame = test::elements_of(svg).front();
  std::vector<Box> boxes;
  for (const Element& text : named(svg, "text")) boxes.push_back(box_of(text));
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    EXPECT_GE(boxes[a].left, 0) << boxes[a].text;
    EXPECT_GE(boxes[a].top, 0) << boxes[a].text;
    EXPECT_LE(boxes[a].right, frame.number("width")) << boxes[a].text;
    EXPECT_LE(boxes[a].bottom, frame.number("height")) << boxes[a].text;
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_FALSE(overlap(boxes[a], boxes[b])) << boxes[a].text << " over " << boxes[b].text;
  }
}

TEST(Plot, HasALineAndALegendForEverySeries) {
  const Plot plot = example();
  const std::string svg = svg_of(plot);
  const std::vector<Element> lines = named(svg, "polyline");
  ASSERT_EQ(lines.size(), 2u);
  for (const Element& line : lines) {
    const std::string& points = line.attributes.at("points");
    EXPECT_EQ(std::count(points.begin(), points.end(), ','), 22);
  }
  EXPECT_NE(lines[0].attributes.at("stroke"), lines[1].attributes.at("stroke"));
  std::vector<std::string> texts;
  for (const Element& text : named(svg, "text")) texts.push_back(text.text);
  EXPECT_THAT(texts,
              testing::IsSupersetOf({plot.title, plot.x.label, plot.y.label, plot.series[0].name, plot.series[1].name,
                                     std::string("8B"), std::string("16MiB"), std::string("1us")}));
}

// Points at 4, 8, …, where lines cross; from left to right.
std::vector<PlotCrossing> crossings_at(std::initializer_list<double> sizes) {
  std::vector<PlotCrossing> found;
  for (const double size : sizes) found.push_back({{size, 1e-5}, "from here on another one"});
  return found;
}

TEST(Plot, MarksCrossingsWithFlagsThatNoPoleCrosses) {
  Plot plot = example();
  const std::string without = svg_of(plot);
  plot.crossings = crossings_at({9, 12, 4096, 5000, 6e5, 1 << 24});
  const std::string svg = svg_of(plot);
  EXPECT_EQ(named(svg, "circle").size(), named(without, "circle").size() + 2 * plot.crossings.size());  // a ring is two
  expect_readable(svg);
  std::vector<Box> flags;
  for (const Element& text : named(svg, "text")) {
    if (text.text == plot.crossings.front().text) flags.push_back(box_of(text));
  }
  ASSERT_EQ(flags.size(), plot.crossings.size());
  int poles = 0;
  for (const Element& line : named(svg, "line")) {
    if (line.number("x1") != line.number("x2") || !line.attributes.contains("stroke-dasharray")) continue;
    ++poles;
    for (const Box& flag : flags)
      EXPECT_FALSE(flag.left < line.number("x1") && line.number("x1") < flag.right && line.number("y2") < flag.bottom);
  }
  EXPECT_EQ(poles, static_cast<int>(plot.crossings.size()));
}

TEST(Plot, NamesStandAtTheEndsOfTheirLinesInTheOrderOfTheEnds) {
  Plot plot{.title = "t", .x = {"x"}, .y = {"y"}, .series = {}};
  for (const double end : {5.0, 900.0, 5.1, 1.0, 40.0})
    plot.series.push_back({fmt::format("ends at {}", end), {{1, 2}, {100, end}}, LineKind::computed});
  const std::string svg = svg_of(plot);
  std::map<double, std::string> by_height;
  for (const Element& text : named(svg, "text")) {
    if (text.text.starts_with("ends")) by_height[text.number("y")] = text.text;
  }
  std::vector<std::string> names;
  for (const auto& [height, name] : by_height) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("ends at 900", "ends at 40", "ends at 5.1", "ends at 5", "ends at 1"));
  EXPECT_TRUE(named(svg, "circle").empty());
  expect_readable(svg);
}

TEST(Plot, LinesLookDifferentAndBoundsAreGray) {
  Plot plot{.title = "t", .x = {"x"}, .y = {"y"}, .series = {}};
  for (int k = 1; k <= 30; ++k) plot.series.push_back({std::to_string(k), {{1, 1.0 * k}, {100, 2.0 * k}}});
  plot.series.push_back({"bound", {{1, 1}, {100, 1}}, LineKind::bound});
  plot.series.push_back({"left out", {}});
  const std::string svg = svg_of(plot);
  std::set<std::string> looks;
  for (const Element& line : named(svg, "polyline")) {
    const auto dashes = line.attributes.find("stroke-dasharray");
    looks.insert(line.attributes.at("stroke") + (dashes == line.attributes.end() ? "" : dashes->second));
  }
  EXPECT_EQ(looks.size(), 31u);
  EXPECT_TRUE(looks.contains("#7777773 3"));
  EXPECT_EQ(svg.find("left out"), std::string::npos);
  expect_readable(svg);
}

TEST(Plot, IsReadableWhateverItShows) {
  expect_readable(svg_of(example()));
  Plot plot = example();
  plot.title = std::string(120, 'W');
  plot.series[1].name = "a name that is rather long for a legend";
  expect_readable(svg_of(plot));
  plot.title = "t";
  plot.notes = {"a note", std::string(200, 'n')};
  expect_readable(svg_of(plot));
  for (const AxisUnit unit : {AxisUnit::bytes, AxisUnit::seconds, AxisUnit::number}) {
    for (const double reach : {1.0, 1.5, 30.0, 1e6, 1e12}) {
      plot = {.title = "t", .x = {"x", unit}, .y = {"y", unit}, .series = {{"s", {{4, 4}, {4 * reach, 4 * reach}}}}};
      expect_readable(svg_of(plot));
    }
  }
}

TEST(Plot, AxesAreLogarithmicAndUpIsMore) {
  const Plot plot{.title = "t", .x = {"x"}, .y = {"y"}, .series = {{"s", {{1, 1}, {10, 100}, {100, 10000}}}}};
  const std::vector<Element> dots = named(svg_of(plot), "circle");
  ASSERT_EQ(dots.size(), 3u);
  EXPECT_NEAR(dots[1].number("cx") - dots[0].number("cx"), dots[2].number("cx") - dots[1].number("cx"), 0.02);
  EXPECT_NEAR(dots[1].number("cy") - dots[0].number("cy"), dots[2].number("cy") - dots[1].number("cy"), 0.02);
  EXPECT_GT(dots[0].number("cy"), dots[1].number("cy"));
}

TEST(Plot, MarksEncloseTheRange) {
  for (const AxisUnit unit : {AxisUnit::bytes, AxisUnit::seconds, AxisUnit::number}) {
    for (const double least : {1e-9, 0.3, 1.0, 7.0, 4096.0}) {
      for (const double reach : {1.1, 2.0, 9.0, 1e3, 1e9}) {
        const std::vector<double> at = marks(unit, least, least * reach);
        ASSERT_GE(at.size(), 2u);
        EXPECT_LE(at.size(), 12u);
        EXPECT_TRUE(std::is_sorted(at.begin(), at.end()));
        EXPECT_LE(at.front(), least * (1 + 1e-6));
        EXPECT_GE(at.back(), least * reach * (1 - 1e-6));
      }
    }
  }
}

TEST(Plot, IsTheSameEveryTime) { EXPECT_EQ(svg_of(example()), svg_of(example())); }

TEST(Plot, RefusesWhatHasNoLogarithm) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    Plot plot = example();
    plot.series[0].samples[3].y = bad;
    EXPECT_THROW(svg_of(plot), Error) << bad;
  }
  EXPECT_THROW(svg_of(Plot{.title = "nothing"}), Error);
}

}  // namespace
}  // namespace tutti::draw
