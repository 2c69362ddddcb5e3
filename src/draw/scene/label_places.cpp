#include "draw/scene/label_places.hpp"

#include <algorithm>
#include <iterator>

namespace tutti::draw {
namespace {

constexpr double label_gap = 4;  // between a vertex and its label
constexpr double aside = 12;     // between a wire that comes from above or below and a label beside it

// Distances that a label may move past an arrow or other words: away from the vertex, and along its side.
constexpr std::array aways{0.0, 15.0, 30.0};
constexpr std::array alongs{0.0, 8.0, -8.0, 16.0, -16.0, 24.0, -24.0};

bool holds_any(const Box& box, const std::vector<Point>& points) {
  return std::any_of(points.begin(), points.end(), [&](const Point& point) { return box.holds(point); });
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

// Further from the vertex, to the side that the label is on, and along that side: to the right where the label is over
// or below the vertex, otherwise down.
LabelPlace further(LabelPlace place, const Box& body, double away, double along) {
  if (place.alignment == Anchor::middle) {
    place.box = moved(place.box, {along, place.box.top > body.top ? away : -away});
  } else {
    place.box = moved(place.box, {place.alignment == Anchor::start ? away : -away, along});
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

// All places of a label about a vertex, the preferred ones first.
std::vector<LabelPlace> all_places(const Box& body, const PixelSize& size) {
  std::vector<LabelPlace> all;
  const auto near = places_around(body, size);
  for (const double away : aways) {
    for (const double along : alongs) {
      for (const LabelPlace& place : near) all.push_back(further(place, body, away, along));
    }
  }
  return all;
}

// Whether the place is free. No other vertex is as near to it as the label's own.
bool is_free(const Scene& scene, std::size_t vertex, const Box& before, const Box& place) {
  const Box& own = scene.bodies[vertex];
  const double away = std::max({place.left - own.right, own.left - place.right, place.top - own.bottom,
                                own.top - place.bottom, label_gap}) -
                      label_gap;
  return !overlap(place, own) && !holds_other_body(scene, vertex, grown(place, away)) &&
         !first_hit(scene, vertex, place) && stays_in_node(scene, before, place);
}

// The points in any of the places, and some around.
std::vector<Point> points_near(const std::vector<LabelPlace>& places, const std::vector<Point>& points) {
  Box all = places.front().box;
  for (const LabelPlace& place : places) all = around(all, place.box);
  std::vector<Point> near;
  std::copy_if(points.begin(), points.end(), std::back_inserter(near), [&](const Point& p) { return all.holds(p); });
  return near;
}

// Finds the label a place off the lines where it has none, or leaves it without one; whether that changes anything.
bool put_off(Scene& scene, std::size_t vertex, const PixelSize& size, const std::vector<Point>& lines) {
  const Box now = scene.labels[vertex];
  const bool is_there = now.width() > 0;
  if (is_there && !holds_any(now, lines)) return false;
  scene.labels[vertex] = {};
  const Box& home = is_there ? now : scene.bodies[vertex];
  const std::vector<LabelPlace> places = all_places(scene.bodies[vertex], size);
  const std::vector<Point> near = points_near(places, lines);
  const auto is_good = [&](const LabelPlace& place) {
    return !holds_any(place.box, near) && is_free(scene, vertex, home, place.box);
  };
  const auto found = std::find_if(places.begin(), places.end(), is_good);
  if (found == places.end()) return is_there;
  scene.labels[vertex] = found->box;
  scene.alignment[vertex] = found->alignment;
  return true;
}

}  // namespace

std::array<LabelPlace, 8> places_around(const Box& body, const PixelSize& size) {
  const Point middle{(body.left + body.right) / 2, (body.top + body.bottom) / 2};
  const double below = body.bottom + label_gap / 2;
  const double above = body.top - label_gap / 2 - size.height;
  const double right = middle.x + aside;
  const double left = middle.x - aside - size.width;
  const auto box = [&](double x, double y) { return Box{x, y, x + size.width, y + size.height}; };
  const double beside = middle.y - size.height / 2;
  const double over = middle.x - size.width / 2;
  return {{{box(right, below), Anchor::start},
           {box(left, below), Anchor::end},
           {box(right, above), Anchor::start},
           {box(left, above), Anchor::end},
           {box(body.right + label_gap, beside), Anchor::start},
           {box(body.left - label_gap - size.width, beside), Anchor::end},
           {box(over, below), Anchor::middle},
           {box(over, above), Anchor::middle}}};
}

std::optional<std::size_t> first_hit(const Scene& scene, std::size_t vertex, const Box& box) {
  for (std::size_t other = 0; other < scene.bodies.size(); ++other) {
    if (other != vertex && overlap(box, scene.bodies[other])) return other;
  }
  for (std::size_t other = 0; other < scene.labels.size(); ++other) {
    if (scene.labels[other].width() > 0 && overlap(box, scene.labels[other])) return other;
  }
  return std::nullopt;
}

Scene off_lines(Scene scene, const std::vector<PixelSize>& label_sizes, const std::vector<Point>& lines) {
  constexpr int most_rounds = 3;  // a label that moves makes room for others
  for (int round = 0; round < most_rounds; ++round) {
    bool any_moved = false;
    for (std::size_t v = 0; v < scene.labels.size(); ++v) {
      if (label_sizes[v].width > 0 && put_off(scene, v, label_sizes[v], lines)) any_moved = true;
    }
    if (!any_moved) break;
  }
  return scene;
}

}  // namespace tutti::draw
