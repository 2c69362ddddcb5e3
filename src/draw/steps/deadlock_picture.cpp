#include "draw/steps/deadlock_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "draw/colors.hpp"
#include "draw/geometry.hpp"

namespace tutti::draw {
namespace {

constexpr double circle_edge = 24;
constexpr double title_letters = 16;
constexpr double circle_letters = 12;
constexpr double line_step = 17;
constexpr double body = 14;  // half of a rank's height and width
constexpr double head = 9;
constexpr std::size_t most_ranks = 32;

void draw_wait(Svg& svg, Point from, Point to, Point center, bool both_ways) {
  const std::string_view color = distinct_colors[1];
  // Bent outwards, so that two ranks that wait for one another have two arrows.
  const Point middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
  const Point across{-(to.y - from.y), to.x - from.x};
  const double bend = both_ways ? 0.35 : 0.12;
  const double side = (middle.x - center.x) * across.x + (middle.y - center.y) * across.y < 0 && !both_ways ? -1 : 1;
  const Curve whole{from, {middle.x + side * bend * across.x, middle.y + side * bend * across.y}, to};
  const double length = std::max(1.0, std::hypot(to.x - from.x, to.y - from.y));
  const Curve way = whole.part(std::min(0.4, (body + 4) / length), std::max(0.6, 1 - (body + 4) / length));
  const Curve shaft = way.part(0, std::max(0.2, 1 - head / length));
  svg.curve(shaft.from, shaft.control, shaft.to, {.color = color, .width = 2.5});
  const Point along = way.direction(1);
  const Point base{way.to.x - head * along.x, way.to.y - head * along.y};
  svg.polygon({way.to,
               {base.x - along.y * head / 2, base.y + along.x * head / 2},
               {base.x + along.y * head / 2, base.y - along.x * head / 2}},
              color);
}

}  // namespace

std::string svg_of_waits(std::string_view title, std::span<const int> cycle, std::span<const std::string> lines) {
  const std::size_t shown = std::min(cycle.size(), most_ranks);
  std::vector<std::string> texts{"An arrow goes from each rank to the one that it waits for: none of them goes on."};
  if (shown < cycle.size())
    texts.push_back(fmt::format("Only the first {} of {} ranks are drawn.", shown, cycle.size()));
  const double radius = std::max(70.0, 60.0 * static_cast<double>(shown) / (2 * std::numbers::pi));
  double width = std::max(2 * (radius + body), width_of(title, title_letters, Weight::bold));
  for (const std::string& text : texts) width = std::max(width, width_of(text, circle_letters));
  for (const std::string& line : lines.first(std::min(lines.size(), shown)))
    width = std::max(width, width_of(line, circle_letters));
  const double top = circle_edge + title_letters + static_cast<double>(texts.size()) * line_step + circle_edge;
  const double below = top + 2 * (radius + body) + circle_edge;
  const std::size_t listed = std::min(lines.size(), shown);

  Svg svg(width + 2 * circle_edge, below + static_cast<double>(listed) * line_step + circle_edge, title);
  double y = circle_edge + title_letters;
  svg.text({circle_edge, y}, title, {.size = title_letters, .bold = true});
  for (const std::string& text : texts)
    svg.text({circle_edge, y += line_step}, text, {.size = circle_letters, .color = "#6a6a6a"});
  const Point center{circle_edge + radius + body, top + radius + body};
  std::vector<Point> places;
  for (std::size_t k = 0; k < shown; ++k) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(shown) - std::numbers::pi / 2;
    places.push_back({center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)});
  }
  for (std::size_t k = 0; k < shown; ++k) {
    if (k + 1 == shown && shown < cycle.size()) break;
    draw_wait(svg, places[k], places[(k + 1) % shown], center, shown == 2);
  }
  for (std::size_t k = 0; k < shown; ++k) {
    const double half = std::max(body, width_of(std::to_string(cycle[k]), circle_letters, Weight::bold) / 2 + 5);
    svg.pill({places[k].x - half, places[k].y - body}, 2 * half, 2 * body, "#ffffff",
             {.color = "#333333", .width = 1.5});
    svg.text({places[k].x, places[k].y + 4}, std::to_string(cycle[k]),
             {.size = circle_letters, .anchor = Anchor::middle, .bold = true});
  }
  y = below;
  for (const std::string& line : lines.first(listed))
    svg.text({circle_edge, y += line_step}, line, {.size = circle_letters});
  return svg.str();
}

}  // namespace tutti::draw
