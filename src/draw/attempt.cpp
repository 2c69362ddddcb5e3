#include "draw/attempt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::draw {
namespace {

constexpr double body_height = 24;
constexpr double detail_height = 10;  // of a second name below the first
constexpr double arrows = 10;         // how far arrows reach to the side of a wire
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

Apart apart_of(Point a, Point b) { return std::abs(a.x - b.x) > std::abs(a.y - b.y) ? Apart::across : Apart::along; }

}  // namespace

Attempt::Attempt(const Arrangement& arrangement, const std::vector<Extent>& extents, const UnitPixels& scale,
                 const std::vector<bool>& busy)
    : arrangement_(arrangement), extents_(extents) {
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

std::optional<Apart> Attempt::arrange(bool strict, Places places) {
  const std::size_t n = scene_.bodies.size();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (overlap(grown(scene_.bodies[a], 10), scene_.bodies[b])) return apart(a, b);
    }
  }
  if (strict) {
    if (const auto crossing = crossed_body()) return crossing;
  }
  for (std::size_t v = 0; v < n; ++v) {
    const auto obstacle = put_label(v);
    if (obstacle && places == Places::needed) return apart(v, *obstacle);
    if (obstacle) put_no_label();
  }
  const auto strangers = put_nodes();
  return strangers ? std::optional(apart(strangers->first, strangers->second)) : std::nullopt;
}

double Attempt::area() const {
  Box all = scene_.bodies.front();
  for (const Body& body : scene_.bodies) all = around(all, body);
  return all.width() * all.height();
}

Scene Attempt::take() {
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

Apart Attempt::apart(std::size_t a, std::size_t b) const {
  return apart_of(arrangement_.vertices[a].at, arrangement_.vertices[b].at);
}

// Without wires, messages from and to a vertex come through the middle.
void Attempt::expect_arrows() {
  Point middle;
  for (const Point& at : scene_.vertices) middle = {middle.x + at.x, middle.y + at.y};
  const auto n = static_cast<double>(scene_.vertices.size());
  for (const Point& at : scene_.vertices) {
    const Curve inwards = straight(at, {middle.x / n, middle.y / n}).part(0, 0.5);
    for (const Point& point : inwards.samples(8)) crossed_.push_back(point);
  }
}

// Which way a wire between others that passes a vertex too near is apart from it.
std::optional<Apart> Attempt::crossed_body() const {
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
      if (scene_.bodies[v].holds(closest, arrows)) return apart_of(middle, closest);
    }
  }
  return std::nullopt;
}

// The places around the vertex, of which the best is free and crosses the fewest wires. Points of wires are counted
// only where the place's cost without them leaves it a chance.
Attempt::Outlook Attempt::look_around(std::size_t vertex) const {
  Outlook found;
  double least = std::numeric_limits<double>::infinity();
  double least_blocked = std::numeric_limits<double>::infinity();  // of those with something in the way
  const auto places = places_around(scene_.bodies[vertex], extents_[vertex]);
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
std::optional<std::size_t> Attempt::put_label(std::size_t vertex) {
  if (extents_[vertex].width == 0) {
    put_no_label();
    return std::nullopt;
  }
  const Outlook outlook = look_around(vertex);
  if (!outlook.best) return outlook.obstacle;
  const Box& box = outlook.best->box;
  const Box near = grown(box, arrows / 2);
  if (std::any_of(busy_.begin(), busy_.end(), [&](Point p) { return near.holds(p); })) {
    ++crossed_labels_;
    if (!wish_)
      wish_ = outlook.obstacle_to_clear ? apart(vertex, *outlook.obstacle_to_clear) : apart_of_wire(vertex, box);
  }
  scene_.labels.push_back(box);
  scene_.alignment.push_back(outlook.best->alignment);
  return std::nullopt;
}

void Attempt::put_no_label() {
  scene_.labels.push_back({});
  scene_.alignment.push_back(Anchor::start);
}

// Which way the vertex is apart from the nearest wire that runs through its label.
Apart Attempt::apart_of_wire(std::size_t vertex, const Box& label) const {
  const Point middle = scene_.vertices[vertex];
  const auto distance = [&](Point p) { return std::hypot(p.x - middle.x, p.y - middle.y); };
  Point nearest = middle;
  for (const Point& point : busy_) {
    if (!grown(label, arrows / 2).holds(point)) continue;
    if (nearest.x == middle.x && nearest.y == middle.y) nearest = point;
    if (distance(point) < distance(nearest)) nearest = point;
  }
  return apart_of(middle, nearest);
}

// A vertex of a node and another that is in the node's box, if there is one.
std::optional<std::pair<std::size_t, std::size_t>> Attempt::put_nodes() {
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
