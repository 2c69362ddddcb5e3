#include "draw/steps/arrows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/units.hpp"
#include "draw/colors.hpp"
#include "draw/steps/arrow_labels.hpp"

namespace tutti::draw {
namespace {

constexpr double head_length = 8;
constexpr double badge_text = 9;
constexpr double badge_height = 12;
constexpr double longest_trunk = 140;  // the width of a shared line's text
constexpr std::string_view text_color = "#222222";

// Pen with which a line is drawn.
struct Pen {
  double width = 2;
  double head = head_width;
};

constexpr Pen own_pen{};
constexpr Pen thin_pen{.width = 0.8, .head = 5};
constexpr Pen trunk_pen{.width = trunk_width, .head = trunk_head};
constexpr Pen thin_trunk_pen{.width = 2.2, .head = 8};
constexpr std::size_t many_trunks = 64;

Trunk trunk_of(const DrawnLoad& load, const ArrowHop& hop) {
  const std::string whole = fmt::format("{} × {}", load.messages, load.content);
  const bool says_what = !load.content.empty() && width_of(whole, small_text, Weight::bold) <= longest_trunk;
  return {hop, says_what ? whole : counted(load.messages, "message"), says_what, {}};
}

double width_of_trunk(const Trunk& trunk) { return width_of(trunk.text, small_text, Weight::bold) + 2 * label_padding; }

std::vector<Trunk> trunks_of(const Frame& frame, const ArrowRoutes& routes, const Arrangement& arrangement) {
  std::vector<Trunk> trunks;
  const int vertices = static_cast<int>(arrangement.vertices.size());
  for (const DrawnLoad& load : frame.loads) {
    if (std::max(load.from, load.to) < vertices && routes.is_trunk(load.from, load.to))
      trunks.push_back(trunk_of(load, routes.trunk(load.from, load.to)));
  }
  return trunks;
}

std::vector<std::pair<ArrowHop, double>> lines_of(const DrawnStep& step) {
  std::vector<std::pair<ArrowHop, double>> lines;
  for (const Trunk& trunk : step.trunks) lines.emplace_back(trunk.hop, trunk_head / 2);
  for (const DrawnArrow& arrow : step.arrows) {
    for (const ArrowHop& hop : arrow.hops) lines.emplace_back(hop, head_width / 2);
  }
  return lines;
}

// Whether a shared line on the message's way says what it carries.
bool shown_by_trunks(const Arrow& arrow, const DrawnStep& step) {
  return std::any_of(step.trunks.begin(), step.trunks.end(), [&](const Trunk& trunk) {
    if (trunk.label.width() == 0 || !trunk.says_what) return false;
    for (std::size_t k = 1; k < arrow.route.size(); ++k) {
      if (arrow.route[k - 1] == trunk.hop.from && arrow.route[k] == trunk.hop.to) return true;
    }
    return false;
  });
}

void place_labels(DrawnStep& step, const Frame& frame, ArrowLabels labels, std::optional<Unit> sizes) {
  for (Trunk& trunk : step.trunks) trunk.label = labels.place({trunk.hop}, width_of_trunk(trunk)).value_or(Box{});
  for (std::size_t k = 0; k < step.arrows.size(); ++k) {
    DrawnArrow& drawn = step.arrows[k];
    const Arrow& arrow = frame.arrows[k];
    const std::string name = name_of(arrow, sizes);
    const double number = number_width(arrow) + 2 * label_padding;
    if (!name.empty()) {
      drawn.label = labels.place(drawn.hops, number + number_gap + width_of(name, small_text)).value_or(Box{});
      drawn.named = drawn.label.width() > 0;
    }
    if (!drawn.named) drawn.label = labels.place(drawn.hops, number).value_or(Box{});
    drawn.content_shown = drawn.named || (name.empty() && drawn.label.width() > 0) ||
                          (drawn.hops.empty() && shown_by_trunks(arrow, step));
  }
}

// Words beside a few of many messages are no help.
void thin_out(DrawnStep& step) {
  constexpr std::ptrdiff_t many = 24;
  const auto unnamed = std::count_if(step.arrows.begin(), step.arrows.end(), [](const DrawnArrow& arrow) {
    return !arrow.content_shown && !arrow.hops.empty();
  });
  if (unnamed <= many || 3 * unnamed < static_cast<std::ptrdiff_t>(step.arrows.size())) return;
  step.crowded = true;
  for (DrawnArrow& arrow : step.arrows) {
    arrow.label = {};
    arrow.named = arrow.content_shown = false;
  }
}

void draw_hop(Svg& svg, const Curve& curve, std::string_view color, const Pen& pen, std::string_view dashes = {}) {
  const Point along = curve.direction(1);
  const Point base{curve.to.x - head_length * along.x, curve.to.y - head_length * along.y};
  const Point aside{-along.y * pen.head / 2, along.x * pen.head / 2};
  const double length = std::max(1.0, std::hypot(curve.to.x - curve.from.x, curve.to.y - curve.from.y));
  const Curve shaft = curve.part(0, std::max(0.0, 1 - (head_length - 1) / length));
  const Point middle = straight(shaft.from, shaft.to).control;
  const Stroke stroke{.color = color, .width = pen.width, .dashes = dashes};
  const bool bent = std::hypot(middle.x - shaft.control.x, middle.y - shaft.control.y) > 0.5;
  bent ? svg.curve(shaft.from, shaft.control, shaft.to, stroke) : svg.line(shaft.from, shaft.to, stroke);
  svg.polygon({curve.to, {base.x + aside.x, base.y + aside.y}, {base.x - aside.x, base.y - aside.y}}, color);
}

void draw_label(Svg& svg, const Arrow& arrow, const DrawnArrow& drawn, std::optional<Unit> sizes) {
  const Box& box = drawn.label;
  const double left = box.left + label_padding;
  const double top = box.top + (label_height - badge_height) / 2;
  svg.rectangle({box.left, box.top}, box.width(), box.height(), "#ffffff");
  svg.pill({left, top}, number_width(arrow), badge_height, drawn.color, {.color = drawn.color, .width = 0});
  svg.text({left + number_width(arrow) / 2, top + badge_height - 3}, std::to_string(arrow.number),
           {.size = badge_text, .anchor = Anchor::middle, .color = "#ffffff", .bold = true});
  if (drawn.named)
    svg.text({left + number_width(arrow) + number_gap, box.bottom - 3.5}, name_of(arrow, sizes),
             {.size = small_text, .color = text_color});
}

}  // namespace

Coloring coloring_of(const ScheduleFrames& frames, const Arrangement& arrangement) {
  for (const Frame& frame : frames.shown) {
    const bool passes = std::any_of(frame.arrows.begin(), frame.arrows.end(),
                                    [&](const Arrow& arrow) { return shown_route(arrow, arrangement).size() > 2; });
    if (passes) return Coloring::distinct;
  }
  return Coloring::by_kind;
}

// The number stands on a badge.
double number_width(const Arrow& arrow) {
  return std::max(badge_height, width_of(std::to_string(arrow.number), badge_text, Weight::bold) + 4);
}

std::string_view color_of(bool combined) { return distinct_colors[combined ? 1 : 0]; }

std::string_view dashes_of(bool combined) { return combined ? "7 2" : ""; }

std::string name_of(const Arrow& arrow, std::optional<Unit> sizes) {
  if (!sizes) return arrow.content;
  return fmt::format("{} · {}", arrow.content,
                     sizes == Unit::bytes ? text_of(Bytes{arrow.elements}) : std::to_string(arrow.elements));
}

DrawnStep place_arrows(const Frame& frame, const Arrangement& arrangement, const Scene& scene, Coloring coloring) {
  ArrowRoutes routes(frame, arrangement, scene);
  DrawnStep step{.arrows = {}, .trunks = trunks_of(frame, routes, arrangement)};
  for (const Arrow& arrow : frame.arrows) {
    const std::string_view own = distinct_colors[step.arrows.size() % distinct_colors.size()];
    DrawnArrow next{.hops = {},
                    .color = coloring == Coloring::distinct ? own : color_of(arrow.combined),
                    .dashes = coloring == Coloring::distinct ? std::string_view() : dashes_of(arrow.combined),
                    .label = {}};
    const std::vector<int> route = shown_route(arrow, arrangement);
    for (std::size_t k = 1; k < route.size(); ++k) {
      if (!routes.is_trunk(route[k - 1], route[k])) next.hops.push_back(routes.next_line(route[k - 1], route[k]));
    }
    step.arrows.push_back(std::move(next));
  }
  return step;
}

std::vector<Point> points_along(const DrawnStep& step) {
  constexpr double fine = 4;
  std::vector<Point> points;
  for (const auto& [hop, half] : lines_of(step)) {
    for (const double aside : {-half, half}) {
      const std::vector<Point> edge = shifted(hop.curve, aside).samples(fine);
      points.insert(points.end(), edge.begin(), edge.end());
    }
  }
  return points;
}

void name_arrows(DrawnStep& step, const Frame& frame, const Scene& scene, const std::vector<Box>& taken,
                 std::optional<Unit> sizes) {
  place_labels(step, frame, ArrowLabels(scene, taken, lines_of(step)), sizes);
  thin_out(step);
}

Box bounds_of(const DrawnStep& step, Box box) {
  for (const auto& [hop, half] : lines_of(step)) {
    for (const Point& point : hop.curve.samples(8)) box = around(box, centered(point, 2 * half, 2 * half));
  }
  for (const Trunk& trunk : step.trunks) box = trunk.label.width() > 0 ? around(box, trunk.label) : box;
  for (const DrawnArrow& arrow : step.arrows) box = arrow.label.width() > 0 ? around(box, arrow.label) : box;
  return box;
}

void draw_arrows(Svg& svg, const Frame& frame, const DrawnStep& drawn, Unit unit) {
  const Pen& pen = drawn.trunks.size() > many_trunks ? thin_trunk_pen : trunk_pen;
  for (const Trunk& trunk : drawn.trunks) {
    svg.begin_group("trunk", fmt::format("{} → {}: {}", trunk.hop.from, trunk.hop.to, trunk.text));
    draw_hop(svg, trunk.hop.curve, trunk_color, pen);
    svg.end_group();
  }
  for (std::size_t k = 0; k < drawn.arrows.size(); ++k) {
    const Arrow& arrow = frame.arrows[k];
    svg.begin_group("arrow", fmt::format("{}: {} → {}, {}{}{}", arrow.number, arrow.from, arrow.to, arrow.content,
                                         arrow.content.empty() ? "" : ", ", amount_of(arrow.elements, unit)));
    for (const ArrowHop& hop : drawn.arrows[k].hops)
      draw_hop(svg, hop.curve, drawn.arrows[k].color, drawn.crowded ? thin_pen : own_pen, drawn.arrows[k].dashes);
    svg.end_group();
  }
}

void draw_labels(Svg& svg, const Frame& frame, const DrawnStep& drawn, std::optional<Unit> sizes) {
  for (const Trunk& trunk : drawn.trunks) {
    const Box& box = trunk.label;
    if (box.width() == 0) continue;
    svg.rectangle({box.left, box.top}, box.width(), box.height(), "#ffffff");
    svg.text({box.left + label_padding, box.bottom - 3.5}, trunk.text,
             {.size = small_text, .color = text_color, .bold = true});
  }
  for (std::size_t k = 0; k < drawn.arrows.size(); ++k) {
    if (drawn.arrows[k].label.width() > 0) draw_label(svg, frame.arrows[k], drawn.arrows[k], sizes);
  }
}

}  // namespace tutti::draw
