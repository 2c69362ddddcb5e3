#include "draw/places.hpp"

#include <algorithm>
#include <utility>

namespace tutti::draw {
namespace {

constexpr double gap = 4;     // between a vertex and its label
constexpr double aside = 12;  // between a wire that comes from above or below and a label beside it

constexpr std::array aways{0.0, 15.0, 30.0};  // how much further a label may stand, past an arrow or other words

std::size_t points_on(const Box& box, const std::vector<Point>& points) {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [&](const Point& point) { return box.holds(point); }));
}

bool is_within(const Box& inner, const Box& outer) {
  return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top &&
         inner.bottom <= outer.bottom;
}

// Whether each node's box that the label was in holds it at the new place, too.
bool stays_in_node(const Scene& scene, const Box& before, const Box& after) {
  return std::all_of(scene.nodes.begin(), scene.nodes.end(),
                     [&](const Box& node) { return is_within(before, node) == is_within(after, node); });
}

// Further from the vertex, to the side that the label is on; up or down where it is over or below the vertex.
LabelPlace further(LabelPlace place, const Box& body, double by) {
  if (place.alignment == Anchor::middle) {
    place.box = moved(place.box, {0, place.box.top > body.top ? by : -by});
  } else {
    place.box = moved(place.box, {place.alignment == Anchor::start ? by : -by, 0});
  }
  return place;
}

// Whether another vertex is in the box.
bool holds_other_body(const Scene& scene, std::size_t vertex, const Box& box) {
  for (std::size_t other = 0; other < scene.bodies.size(); ++other) {
    if (other != vertex && overlap(box, scene.bodies[other])) return true;
  }
  return false;
}

}  // namespace

std::array<LabelPlace, 8> places_around(const Box& body, const Extent& extent) {
  const Point middle{(body.left + body.right) / 2, (body.top + body.bottom) / 2};
  const double below = body.bottom + gap / 2;
  const double above = body.top - gap / 2 - extent.height;
  const double right = middle.x + aside;
  const double left = middle.x - aside - extent.width;
  const auto box = [&](double x, double y) { return Box{x, y, x + extent.width, y + extent.height}; };
  const double beside = middle.y - extent.height / 2;
  const double over = middle.x - extent.width / 2;
  return {{{box(right, below), Anchor::start},
           {box(left, below), Anchor::end},
           {box(right, above), Anchor::start},
           {box(left, above), Anchor::end},
           {box(body.right + gap, beside), Anchor::start},
           {box(body.left - gap - extent.width, beside), Anchor::end},
           {box(over, below), Anchor::middle},
           {box(over, above), Anchor::middle}}};
}

std::optional<std::size_t> first_hit(const Scene& scene, std::size_t vertex, const Box& box) {
  for (std::size_t other = 0; other < scene.bodies.size(); ++other) {
    if (other != vertex && overlap(box, scene.bodies[other])) return other;
  }
  for (std::size_t other = 0; other < scene.labels.size(); ++other) {
    if (overlap(box, scene.labels[other])) return other;
  }
  return std::nullopt;
}

Scene off_lines(Scene scene, const std::vector<Extent>& extents, const std::vector<Point>& lines) {
  for (std::size_t v = 0; v < scene.labels.size(); ++v) {
    if (extents[v].width == 0 || scene.labels[v].width() == 0) continue;
    const LabelPlace now{std::exchange(scene.labels[v], {}), scene.alignment[v]};
    LabelPlace best = now;
    std::size_t least = points_on(now.box, lines);
    for (const double away : aways) {
      for (const LabelPlace& near : places_around(scene.bodies[v], extents[v])) {
        if (least == 0) break;
        const LabelPlace place = further(near, scene.bodies[v], away);
        // No other vertex is as near as the label's own.
        if (holds_other_body(scene, v, grown(place.box, away)) || first_hit(scene, v, place.box)) continue;
        if (!stays_in_node(scene, now.box, place.box)) continue;
        const std::size_t crossed = points_on(place.box, lines);
        if (crossed < least) {
          least = crossed;
          best = place;
        }
      }
    }
    scene.labels[v] = best.box;
    scene.alignment[v] = best.alignment;
  }
  return scene;
}

}  // namespace tutti::draw
