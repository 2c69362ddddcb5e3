#include "draw/steps/arrow_routes.hpp"

#include <algorithm>
#include <array>

namespace tutti::draw {
namespace {

constexpr double lane = 6;       // between arrows side by side
constexpr double clearance = 2;  // between an arrow and a vertex

// The place on the curve, in [0, 1], where it leaves the body that it begins in.
double exit_of(const Curve& curve, const Body& body) {
  constexpr int steps = 200;
  int out = 0;
  while (out < steps && body.holds(curve.at(static_cast<double>(out) / steps), clearance)) ++out;
  double inside = std::max(0, out - 1) / static_cast<double>(steps);
  double outside = out / static_cast<double>(steps);
  for (int halving = 0; halving < 6; ++halving) {
    const double middle = (inside + outside) / 2;
    (body.holds(curve.at(middle), clearance) ? inside : outside) = middle;
  }
  return outside;
}

// The part of the curve outside the two bodies that it joins.
Curve trimmed(const Curve& curve, const Body& from, const Body& to) {
  const double begin = exit_of(curve, from);
  const double end = 1 - exit_of({curve.to, curve.control, curve.from}, to);
  return curve.part(begin, std::max(begin, end));
}

}  // namespace

std::vector<int> shown_route(const Arrow& arrow, const Arrangement& arrangement) {
  std::vector<int> route;
  for (const int vertex : arrow.route) {
    if (vertex < static_cast<int>(arrangement.vertices.size())) route.push_back(vertex);
  }
  return route;
}

std::vector<bool> busy_wires(const ScheduleFrames& frames, const Arrangement& arrangement) {
  std::vector<bool> busy(arrangement.wires.size());
  const int vertices = static_cast<int>(arrangement.vertices.size());
  for (const Frame& frame : frames.shown) {
    for (const DrawnLoad& load : frame.loads) {
      if (std::max(load.from, load.to) >= vertices) continue;
      if (const Wire* wire = arrangement.wire_between(load.from, load.to))
        busy[static_cast<std::size_t>(wire - arrangement.wires.data())] = true;
    }
  }
  return busy;
}

ArrowRoutes::ArrowRoutes(const Frame& frame, const Arrangement& arrangement, const Scene& scene)
    : arrangement_(arrangement), scene_(scene) {
  for (const Arrow& arrow : frame.arrows) {
    const std::vector<int> route = shown_route(arrow, arrangement);
    for (std::size_t k = 1; k < route.size(); ++k) ++count_[{route[k - 1], route[k]}];
  }
}

int ArrowRoutes::count(int from, int to) const {
  const auto found = count_.find({from, to});
  return found == count_.end() ? 0 : found->second;
}

bool ArrowRoutes::is_trunk(int from, int to) const { return count(from, to) > (count(to, from) > 0 ? 2 : 3); }

// To the right of the wire.
double ArrowRoutes::reach(int from, int to) const {
  const int mine = count(from, to);
  const bool both = count(to, from) > 0;
  if (mine == 0) return 0;
  if (is_trunk(from, to)) return trunk_head / 2 + (both ? trunk_width : 0);
  return head_width / 2 + lane * (both ? mine - 0.5 : (mine - 1) / 2.0);
}

ArrowHop ArrowRoutes::trunk(int from, int to) const { return hop(from, to, count(to, from) > 0 ? trunk_width : 0); }

ArrowHop ArrowRoutes::next_line(int from, int to) {
  const int mine = used_[{from, to}]++;
  return hop(from, to, lane * (count(to, from) > 0 ? mine + 0.5 : mine - (count(from, to) - 1) / 2.0));
}

ArrowHop ArrowRoutes::hop(int from, int to, double aside) const {
  const Curve wire = path_between(from, to);
  const auto between_bodies = [&](const Curve& curve) {
    return trimmed(curve, scene_.bodies[static_cast<std::size_t>(from)], scene_.bodies[static_cast<std::size_t>(to)]);
  };
  const bool both = count(to, from) > 0;
  return {from,
          to,
          between_bodies(wire),
          between_bodies(shifted(wire, aside)),
          both ? reach(to, from) : reach(from, to),
          reach(from, to)};
}

// Along the wire between the two, if there is one, and otherwise bent as little as leaves other vertices aside.
Curve ArrowRoutes::path_between(int from, int to) const {
  const Point a = scene_.vertices[static_cast<std::size_t>(from)];
  const Point b = scene_.vertices[static_cast<std::size_t>(to)];
  if (const Wire* wire = arrangement_.wire_between(from, to)) {
    const Curve& curve = scene_.wires[static_cast<std::size_t>(wire - arrangement_.wires.data())];
    return wire->a == from ? curve : Curve{curve.to, curve.control, curve.from};
  }
  const auto bent = [&](double by) {
    return Curve{a, {(a.x + b.x) / 2 - by * (b.y - a.y), (a.y + b.y) / 2 + by * (b.x - a.x)}, b};
  };
  constexpr std::array bends{0.12, -0.12, 0.2, -0.2, 0.3, -0.3, 0.45, -0.45, 0.7, -0.7};
  const auto* found = std::find_if(bends.begin(), bends.end(), [&](double by) { return is_clear(bent(by), from, to); });
  return bent(found == bends.end() ? bends.front() : *found);
}

bool ArrowRoutes::is_clear(const Curve& curve, int from, int to) const {
  constexpr double room = 6;
  const std::vector<Point> points = curve.samples(8);
  for (std::size_t v = 0; v < scene_.bodies.size(); ++v) {
    if (static_cast<int>(v) == from || static_cast<int>(v) == to) continue;
    const Body& body = scene_.bodies[v];
    if (std::any_of(points.begin(), points.end(), [&](Point point) { return body.holds(point, room); })) return false;
  }
  return true;
}

}  // namespace tutti::draw
