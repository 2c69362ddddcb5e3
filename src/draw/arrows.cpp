#include "draw/arrows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "draw/colors.hpp"

namespace tutti::draw {
namespace {

constexpr double lane = 6;       // between arrows side by side
constexpr double clearance = 2;  // between an arrow and a vertex
constexpr double head_length = 8;
constexpr double head_width = 7;
constexpr double label_height = 14;
constexpr double padding = 2;  // left and right within a label
constexpr double badge_text = 9;
constexpr double badge_height = 12;
constexpr double number_gap = 3;  // between number and content
constexpr std::string_view text_color = "#222222";

using Ends = std::pair<int, int>;

// The number stands on a badge.
double badge_width(const Arrow& arrow) {
  return std::max(badge_height, width_of(std::to_string(arrow.number), badge_text, Weight::bold) + 4);
}

// From one vertex to a neighbour on the way, along their wire if there is one, and a little bent otherwise.
Curve way(const Arrangement& arrangement, const Scene& scene, int from, int to) {
  const Point a = scene.vertices[static_cast<std::size_t>(from)];
  const Point b = scene.vertices[static_cast<std::size_t>(to)];
  if (const Wire* wire = arrangement.wire_between(from, to)) {
    const Curve& curve = scene.wires[static_cast<std::size_t>(wire - arrangement.wires.data())];
    return wire->a == from ? curve : Curve{curve.to, curve.control, curve.from};
  }
  constexpr double bend = 0.12;
  return {a, {(a.x + b.x) / 2 - bend * (b.y - a.y), (a.y + b.y) / 2 + bend * (b.x - a.x)}, b};
}

// The part of the curve outside the two bodies that it joins.
Curve outside(const Curve& curve, const Box& from, const Box& to) {
  const auto grown = [](const Box& box) {
    return Box{box.left - clearance, box.top - clearance, box.right + clearance, box.bottom + clearance};
  };
  constexpr int steps = 100;
  int begin = 0;
  int end = steps;
  while (begin < steps && grown(from).holds(curve.at(static_cast<double>(begin) / steps))) ++begin;
  while (end > begin && grown(to).holds(curve.at(static_cast<double>(end) / steps))) --end;
  return curve.part(static_cast<double>(begin) / steps, static_cast<double>(end) / steps);
}

// The vertices of the route that the arrangement has.
std::vector<int> shown_route(const Arrow& arrow, const Arrangement& arrangement) {
  std::vector<int> route;
  for (const int vertex : arrow.route) {
    if (vertex < static_cast<int>(arrangement.vertices.size())) route.push_back(vertex);
  }
  return route;
}

// Gives the arrows that go over the same link the same way lanes beside one another.
class Lanes {
 public:
  Lanes(const Frame& frame, const Arrangement& arrangement) {
    for (const Arrow& arrow : frame.arrows) {
      const std::vector<int> route = shown_route(arrow, arrangement);
      for (std::size_t k = 1; k < route.size(); ++k) ++count_[{route[k - 1], route[k]}];
    }
  }

  // How far to the right of the wire the next arrow over this link runs.
  double next(int from, int to) {
    const int mine = used_[{from, to}]++;
    const auto opposite = count_.find({to, from});
    if (opposite != count_.end()) return lane * (mine + 0.5);
    return lane * (mine - (count_[{from, to}] - 1) / 2.0);
  }

 private:
  std::map<Ends, int> count_;
  std::map<Ends, int> used_;
};

constexpr double band_height = 16;  // about a label's

int band_of(double y) { return static_cast<int>(std::floor(y / band_height)); }

/// Points, found by where they are.
class InkedPoints {
 public:
  explicit InkedPoints(std::vector<Point> points) : points_(std::move(points)) {
    std::sort(points_.begin(), points_.end(), before);
  }

  std::ptrdiff_t points_in(const Box& box) const {
    std::ptrdiff_t count = 0;
    for (int band = band_of(box.top); band <= band_of(box.bottom); ++band) {
      const double y = (band + 0.5) * band_height;
      const auto begin = std::lower_bound(points_.begin(), points_.end(), Point{box.left, y}, before);
      const auto end = std::lower_bound(begin, points_.end(), Point{box.right, y}, before);
      count += std::count_if(begin, end, [&](Point point) { return box.holds(point); });
    }
    return count;
  }

 private:
  // Band after band, from left to right in each.
  static bool before(const Point& a, const Point& b) {
    return std::pair(band_of(a.y), a.x) < std::pair(band_of(b.y), b.x);
  }

  std::vector<Point> points_;
};

/// Boxes, found by where they are.
class Boxes {
 public:
  void add(const Box& box) {
    for (int band = band_of(box.top); band <= band_of(box.bottom); ++band) bands_[band].push_back(box);
  }

  bool any_over(const Box& box) const {
    for (auto band = bands_.lower_bound(band_of(box.top)); band != bands_.end(); ++band) {
      if (band->first > band_of(box.bottom)) return false;
      const auto over = [&](const Box& other) { return overlap(box, other); };
      if (std::any_of(band->second.begin(), band->second.end(), over)) return true;
    }
    return false;
  }

 private:
  std::map<int, std::vector<Box>> bands_;
};

std::vector<Point> points_along(const std::vector<DrawnArrow>& arrows) {
  std::vector<Point> found;
  for (const DrawnArrow& arrow : arrows) {
    for (const Curve& hop : arrow.hops) {
      const auto points = hop.samples(5);
      found.insert(found.end(), points.begin(), points.end());
    }
  }
  return found;
}

// Finds room for labels: never over anything that is taken, and over as few arrows as can be.
class Labels {
 public:
  Labels(const Scene& scene, const std::vector<Box>& taken, const std::vector<DrawnArrow>& arrows)
      : inked_(points_along(arrows)) {
    for (const Box& box : taken) taken_.add(box);
    for (const Box& box : scene.bodies) taken_.add(box);
  }

  bool place(DrawnArrow& arrow, double width) {
    double least = std::numeric_limits<double>::infinity();
    for (const Curve& hop : arrow.hops) {
      const double length = std::hypot(hop.to.x - hop.from.x, hop.to.y - hop.from.y);
      for (const double aside : {0.0, 0.8, -0.8, 1.0, -1.0, 2.3, -2.3}) {
        for (const double t : {0.45, 0.55, 0.35, 0.65, 0.25, 0.75}) {
          const Point along = hop.direction(t);
          const Point on = hop.at(t);
          if (std::abs(aside) > 1 && std::abs(along.x) < 0.7) continue;  // a second row, where arrows go across
          const double far = aside * (2 + std::abs(along.y) * width / 2 + std::abs(along.x) * label_height / 2);
          const Box box = centered({on.x - far * along.y, on.y + far * along.x}, width, label_height);
          // Longer hops are better known by their labels; a label far from the middle is near another vertex.
          const double apart = 4 * std::abs(t - 0.45) + std::abs(aside) - 0.01 * length;
          if (apart >= least || taken_.any_over(box)) continue;
          const double cost = cost_of(box) + apart;
          if (cost >= least) continue;
          least = cost;
          arrow.label = box;
        }
      }
    }
    if (least == std::numeric_limits<double>::infinity()) return false;
    arrow.crowded = cost_of(arrow.label) > most_hidden;
    taken_.add(arrow.label);
    return true;
  }

 private:
  static constexpr double most_hidden = 9;  // three points of an arrow, which leave it whole

  // Three for every point of an arrow that is hidden.
  double cost_of(const Box& box) const { return 3.0 * static_cast<double>(inked_.points_in(box)); }

  Boxes taken_;
  InkedPoints inked_;  // along all arrows
};

void draw_head(Svg& svg, const Curve& hop, std::string_view color) {
  const Point along = hop.direction(1);
  const Point base{hop.to.x - head_length * along.x, hop.to.y - head_length * along.y};
  const Point aside{-along.y * head_width / 2, along.x * head_width / 2};
  svg.polygon({hop.to, {base.x + aside.x, base.y + aside.y}, {base.x - aside.x, base.y - aside.y}}, color);
}

}  // namespace

Coloring coloring_of(const Frames& frames, const Arrangement& arrangement) {
  for (const Frame& frame : frames.shown) {
    const bool passes = std::any_of(frame.arrows.begin(), frame.arrows.end(),
                                    [&](const Arrow& arrow) { return shown_route(arrow, arrangement).size() > 2; });
    if (passes) return Coloring::apart;
  }
  return Coloring::by_kind;
}

std::string_view color_of(bool combined) { return distinct_colors[combined ? 1 : 0]; }

std::string name_of(const Arrow& arrow, bool with_size) {
  return with_size ? fmt::format("{} · {}", arrow.content, arrow.elements) : arrow.content;
}

std::vector<DrawnArrow> place_arrows(const Frame& frame, const Arrangement& arrangement, const Scene& scene,
                                     const std::vector<Box>& taken, bool with_sizes, Coloring coloring) {
  Lanes lanes(frame, arrangement);
  std::vector<DrawnArrow> drawn;
  for (const Arrow& arrow : frame.arrows) {
    const std::string_view own = distinct_colors[drawn.size() % distinct_colors.size()];
    DrawnArrow next{.hops = {}, .color = coloring == Coloring::apart ? own : color_of(arrow.combined), .label = {}};
    const std::vector<int> route = shown_route(arrow, arrangement);
    for (std::size_t k = 1; k < route.size(); ++k) {
      const Curve curve = shifted(way(arrangement, scene, route[k - 1], route[k]), lanes.next(route[k - 1], route[k]));
      next.hops.push_back(outside(curve, scene.bodies[static_cast<std::size_t>(route[k - 1])],
                                  scene.bodies[static_cast<std::size_t>(route[k])]));
    }
    drawn.push_back(std::move(next));
  }
  Labels labels(scene, taken, drawn);
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const Arrow& arrow = frame.arrows[k];
    const std::string name = name_of(arrow, with_sizes);
    const double number = badge_width(arrow) + 2 * padding;
    drawn[k].named = !name.empty() && labels.place(drawn[k], number + number_gap + width_of(name, small_text));
    if (!drawn[k].named) labels.place(drawn[k], number);
  }
  return drawn;
}

void draw_arrow(Svg& svg, const Arrow& arrow, const DrawnArrow& drawn) {
  svg.begin_group("arrow",
                  fmt::format("{}: {} → {}, {}{}{} element{}", arrow.number, arrow.from, arrow.to, arrow.content,
                              arrow.content.empty() ? "" : ", ", arrow.elements, arrow.elements == 1 ? "" : "s"));
  const Stroke stroke{.color = drawn.color, .width = 2};
  for (const Curve& hop : drawn.hops) {
    const double length = std::max(1.0, std::hypot(hop.to.x - hop.from.x, hop.to.y - hop.from.y));
    const Curve shaft = hop.part(0, std::max(0.0, 1 - (head_length - 1) / length));
    const Point middle = straight(shaft.from, shaft.to).control;
    const bool bent = std::hypot(middle.x - shaft.control.x, middle.y - shaft.control.y) > 0.5;
    bent ? svg.curve(shaft.from, shaft.control, shaft.to, stroke) : svg.line(shaft.from, shaft.to, stroke);
    draw_head(svg, hop, drawn.color);
  }
  svg.end_group();
}

void draw_label(Svg& svg, const Arrow& arrow, const DrawnArrow& drawn, bool with_size) {
  if (drawn.label.width() == 0) return;
  const double left = drawn.label.left + padding;
  const double base = drawn.label.bottom - 3.5;
  svg.rectangle({drawn.label.left, drawn.label.top}, drawn.label.width(), drawn.label.height(), "#ffffff");
  const double top = drawn.label.top + (label_height - badge_height) / 2;
  svg.pill({left, top}, badge_width(arrow), badge_height, drawn.color, {.color = drawn.color, .width = 0});
  svg.text({left + badge_width(arrow) / 2, top + badge_height - 3}, std::to_string(arrow.number),
           {.size = badge_text, .anchor = Anchor::middle, .color = "#ffffff", .bold = true});
  if (drawn.named)
    svg.text({left + badge_width(arrow) + number_gap, base}, name_of(arrow, with_size),
             {.size = small_text, .color = text_color});
}

}  // namespace tutti::draw
