#include "draw/scene/layout_attempt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::draw {
namespace {

constexpr double body_height = 24;
constexpr double detail_height = 13;  // height of a second name below the first
constexpr double arrows = 10;         // reach of arrows to the side of a wire
constexpr double node_margin = 7;

Point scaled(Point point, const Arrangement& arrangement, const UnitPixels& scale) {
  return {(point.x - arrangement.low.x) * scale.x, (point.y - arrangement.low.y) * scale.y};
}

// The vertices of each node.
std::vector<std::vector<std::size_t>> vertices_by_node(const Arrangement& arrangement) {
  std::vector<std::vector<std::size_t>> nodes;
  for (std::size_t v = 0; v < arrangement.vertices.size(); ++v) {
    const int node = arrangement.vertices[v].node;
    if (node < 0) continue;
    nodes.resize(std::max(nodes.size(), static_cast<std::size_t>(node) + 1));
    nodes[static_cast<std::size_t>(node)].push_back(v);
  }
  return nodes;
}

// The first vertex that is in the box and of another node, or of none.
template <typename BoxOf>
std::optional<std::size_t> stranger_in(const Box& box, int node, const Arrangement& arrangement, const BoxOf& box_of) {
  for (std::size_t v = 0; v < arrangement.vertices.size(); ++v) {
    if (arrangement.vertices[v].node != node && overlap(box, box_of(v))) return v;
  }
  return std::nullopt;
}

// Whether the boxes around the vertices of each node hold no others, however large the scale.
bool are_apart(const Arrangement& arrangement, const std::vector<std::vector<std::size_t>>& nodes) {
  const auto at = [&](std::size_t v) { return centered(arrangement.vertices[v].at, 1e-3, 1e-3); };
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (nodes[node].empty()) return false;
    Box box = at(nodes[node].front());
    for (const std::size_t v : nodes[node]) box = around(box, at(v));
    if (stranger_in(box, static_cast<int>(node), arrangement, at)) return false;
  }
  return true;
}

SeparationAxis separation_of(Point a, Point b) {
  return std::abs(a.x - b.x) > std::abs(a.y - b.y) ? SeparationAxis::horizontal : SeparationAxis::vertical;
}

}  // namespace

LayoutAttempt::LayoutAttempt(const Arrangement& arrangement, const std::vector<PixelSize>& label_sizes,
                             const UnitPixels& scale, const std::vector<bool>& busy)
    : arrangement_(arrangement), label_sizes_(label_sizes) {
  for (const Vertex& vertex : arrangement.vertices) {
    const Point at = scaled(vertex.at, arrangement, scale);
    const double height = body_height + (vertex.detail.empty() ? 0 : detail_height);
    const double name = std::max(width_of(vertex.label, name_text, Weight::bold), width_of(vertex.detail, detail_text));
    scene_.vertices.push_back(at);
    scene_.bodies.push_back({centered(at, std::max(height + 2, name + 10), height), !vertex.is_switch});
  }
  for (const Wire& wire : arrangement.wires) {
    const Point a = scene_.vertices[static_cast<std::size_t>(wire.a)];
    const Point b = scene_.vertices[static_cast<std::size_t>(wire.b)];
    scene_.wires.push_back(wire.curved ? Curve{a, scaled(wire.control, arrangement, scale), b} : straight(a, b));
    const bool is_busy = !busy.empty() && busy[scene_.wires.size() - 1];
    for (const Point& point : scene_.wires.back().samples(8)) {
      wired_.push_back(point);
      if (is_busy) busy_.push_back(point);
    }
  }
  crossed_ = wired_;
  if (arrangement.wires.empty()) expect_arrows();
}

std::optional<SeparationAxis> LayoutAttempt::arrange(bool strict, LabelPolicy policy) {
  const std::size_t n = scene_.bodies.size();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (overlap(grown(scene_.bodies[a], 10), scene_.bodies[b])) return separation(a, b);
    }
  }
  if (strict) {
    if (const auto crossing = crossed_body()) return crossing;
  }
  for (std::size_t v = 0; v < n; ++v) {
    const auto obstacle = place_label(v);
    if (obstacle && policy == LabelPolicy::required) return separation(v, *obstacle);
    if (obstacle) omit_label();
  }
  const auto strangers = place_node_boxes();
  return strangers ? std::optional(separation(strangers->first, strangers->second)) : std::nullopt;
}

double LayoutAttempt::area() const {
  Box all = scene_.bodies.front();
  for (const Body& body : scene_.bodies) all = around(all, body);
  return all.width() * all.height();
}

Scene LayoutAttempt::take() {
  scene_.labels.resize(scene_.bodies.size());
  scene_.alignment.resize(scene_.bodies.size(), Anchor::start);
  scene_.bounds = scene_.bodies.front();
  for (const Box& body : scene_.bodies) scene_.bounds = around(scene_.bounds, body);
  for (const Box& label : scene_.labels) {
    if (label.width() > 0) scene_.bounds = around(scene_.bounds, label);
  }
  for (const Box& node : scene_.nodes) scene_.bounds = around(scene_.bounds, node);
  for (const Point& point : wired_) scene_.bounds = around(scene_.bounds, centered(point, 0, 0));
  return std::move(scene_);
}

SeparationAxis LayoutAttempt::separation(std::size_t a, std::size_t b) const {
  return separation_of(arrangement_.vertices[a].at, arrangement_.vertices[b].at);
}

// Without wires, messages from and to a vertex come through the middle.
void LayoutAttempt::expect_arrows() {
  Point middle;
  for (const Point& at : scene_.vertices) middle = {middle.x + at.x, middle.y + at.y};
  const auto n = static_cast<double>(scene_.vertices.size());
  for (const Point& at : scene_.vertices) {
    const Curve inwards = straight(at, {middle.x / n, middle.y / n}).part(0, 0.5);
    for (const Point& point : inwards.samples(8)) crossed_.push_back(point);
  }
}

// Returns the direction in which a vertex is apart from a wire between others that passes it too near.
std::optional<SeparationAxis> LayoutAttempt::crossed_body() const {
  for (std::size_t k = 0; k < scene_.wires.size(); ++k) {
    const Wire& wire = arrangement_.wires[k];
    const Curve& curve = scene_.wires[k];
    const Box reach =
        around(around(centered(curve.from, 0, 0), centered(curve.to, 0, 0)), centered(curve.control, 0, 0));
    for (std::size_t v = 0; v < scene_.bodies.size(); ++v) {
      const bool end = static_cast<int>(v) == wire.a || static_cast<int>(v) == wire.b;
      if (end || !overlap(reach, grown(scene_.bodies[v], arrows))) continue;
      const std::vector<Point> points = curve.samples(4);
      const Point middle = scene_.vertices[v];
      const auto closer = [&](Point a, Point b) {
        return std::hypot(a.x - middle.x, a.y - middle.y) < std::hypot(b.x - middle.x, b.y - middle.y);
      };
      const Point closest = *std::min_element(points.begin(), points.end(), closer);
      if (scene_.bodies[v].holds(closest, arrows)) return separation_of(middle, closest);
    }
  }
  return std::nullopt;
}

// The places around the vertex, of which the best is free and crosses the fewest wires. Points of wires are counted
// only where the place's cost without them leaves it a chance.
LayoutAttempt::LabelSearch LayoutAttempt::find_label_place(std::size_t vertex) const {
  LabelSearch found;
  double least = std::numeric_limits<double>::infinity();
  double least_blocked = std::numeric_limits<double>::infinity();  // least cost of the places with something in the way
  const auto places = places_around(scene_.bodies[vertex], label_sizes_[vertex]);
  double preference = 0;
  for (const LabelPlace& place : places) {
    preference += 0.4;
    const Box reach = grown(place.box, arrows);
    const auto is_crossed = [&](Point p) { return reach.holds(p); };
    if (const auto hit = first_hit(scene_, vertex, place.box)) {
      if (!found.obstacle) found.obstacle = hit;
      if (preference >= least_blocked || std::any_of(crossed_.begin(), crossed_.end(), is_crossed)) continue;
      least_blocked = preference;
      found.obstacle_to_clear = hit;
      continue;
    }
    if (preference >= least) continue;
    const auto crossed = std::count_if(crossed_.begin(), crossed_.end(), is_crossed);
    const double cost = 3.0 * static_cast<double>(crossed) + preference;
    if (cost >= least) continue;
    least = cost;
    found.best = place;
  }
  return found;
}

// The vertex that is in the way of the most promising place, where there is no place at all.
std::optional<std::size_t> LayoutAttempt::place_label(std::size_t vertex) {
  if (label_sizes_[vertex].width == 0) {
    omit_label();
    return std::nullopt;
  }
  const LabelSearch search = find_label_place(vertex);
  if (!search.best) return search.obstacle;
  const Box& box = search.best->box;
  const Box near = grown(box, arrows / 2);
  if (std::any_of(busy_.begin(), busy_.end(), [&](Point p) { return near.holds(p); })) {
    ++crossed_labels_;
    if (!preferred_growth_)
      preferred_growth_ =
          search.obstacle_to_clear ? separation(vertex, *search.obstacle_to_clear) : separation_from_wire(vertex, box);
  }
  scene_.labels.push_back(box);
  scene_.alignment.push_back(search.best->alignment);
  return std::nullopt;
}

void LayoutAttempt::omit_label() {
  scene_.labels.push_back({});
  scene_.alignment.push_back(Anchor::start);
}

// Returns the direction in which the vertex is apart from the nearest wire that runs through its label.
SeparationAxis LayoutAttempt::separation_from_wire(std::size_t vertex, const Box& label) const {
  const Point middle = scene_.vertices[vertex];
  const auto distance = [&](Point p) { return std::hypot(p.x - middle.x, p.y - middle.y); };
  Point nearest = middle;
  for (const Point& point : busy_) {
    if (!grown(label, arrows / 2).holds(point)) continue;
    if (nearest.x == middle.x && nearest.y == middle.y) nearest = point;
    if (distance(point) < distance(nearest)) nearest = point;
  }
  return separation_of(middle, nearest);
}

// A vertex of a node and another that is in the node's box, if there is one.
std::optional<std::pair<std::size_t, std::size_t>> LayoutAttempt::place_node_boxes() {
  const auto nodes = vertices_by_node(arrangement_);
  if (!are_apart(arrangement_, nodes)) return std::nullopt;
  const auto room = [&](std::size_t v) {
    const Box& label = scene_.labels[v];
    const Box all = label.width() > 0 ? around(scene_.bodies[v], label) : scene_.bodies[v];
    return grown(all, node_margin);
  };
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    Box box = room(nodes[node].front());
    for (const std::size_t v : nodes[node]) box = around(box, room(v));
    if (const auto stranger = stranger_in(box, static_cast<int>(node), arrangement_, room))
      return std::pair(nodes[node].front(), *stranger);
    scene_.nodes.push_back(box);
  }
  return std::nullopt;
}

}  // namespace tutti::draw
