/// @file
/// Wires that would pass a vertex too near take another way.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "draw/geometry.hpp"
#include "draw/layout/network_families.hpp"

namespace tutti::draw {
namespace {

// Returns the distance of a wire from the nearest vertex that is none of its ends.
double room_of(const Curve& curve, const Wire& wire, const Arrangement& arrangement) {
  double room = std::numeric_limits<double>::infinity();
  const std::vector<Point> points = curve.samples(0.05);
  for (std::size_t v = 0; v < arrangement.vertices.size(); ++v) {
    if (static_cast<int>(v) == wire.a || static_cast<int>(v) == wire.b) continue;
    const Point at = arrangement.vertices[v].at;
    for (const Point& point : points) room = std::min(room, std::hypot(point.x - at.x, point.y - at.y));
  }
  return room;
}

}  // namespace

void bend_past_vertices(Arrangement& arrangement) {
  constexpr double enough = 0.2;
  // Distances of the control point from the wire's middle; a curve's height is half of that.
  constexpr std::array asides{0.0, 0.4, -0.4, 0.7, -0.7, 1.0, -1.0, 1.4, -1.4, 1.9, -1.9, 2.5, -2.5, 3.2, -3.2};
  for (Wire& wire : arrangement.wires) {
    const Point a = arrangement.vertices[static_cast<std::size_t>(wire.a)].at;
    const Point b = arrangement.vertices[static_cast<std::size_t>(wire.b)].at;
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const Point control = wire.curved ? wire.control : straight(a, b).control;
    double most = 0;
    for (const double aside : asides) {
      const Point moved{control.x - aside * (b.y - a.y) / length, control.y + aside * (b.x - a.x) / length};
      const double room = room_of({a, moved, b}, wire, arrangement);
      if (room <= most) continue;
      most = room;
      if (aside != 0) {
        wire.curved = true;
        wire.control = moved;
      }
      if (room >= enough) break;
    }
  }
}

}  // namespace tutti::draw
