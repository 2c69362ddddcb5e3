#include "draw/layout/arrangement.hpp"

#include <algorithm>
#include <utility>

#include "draw/geometry.hpp"

namespace tutti::draw {

const Wire* Arrangement::wire_between(int a, int b) const {
  const std::pair<int, int> ends = std::minmax(a, b);
  const auto found = std::lower_bound(wires.begin(), wires.end(), ends, [](const Wire& wire, const auto& wanted) {
    return std::pair(wire.a, wire.b) < wanted;
  });
  return found != wires.end() && found->a == ends.first && found->b == ends.second ? &*found : nullptr;
}

void set_bounds(Arrangement& arrangement) {
  arrangement.low = arrangement.high = arrangement.vertices.front().at;
  const auto take = [&](const Point& point) {
    arrangement.low = {std::min(arrangement.low.x, point.x), std::min(arrangement.low.y, point.y)};
    arrangement.high = {std::max(arrangement.high.x, point.x), std::max(arrangement.high.y, point.y)};
  };
  for (const Vertex& vertex : arrangement.vertices) take(vertex.at);
  for (const Wire& wire : arrangement.wires) {
    if (!wire.curved) continue;
    const Point a = arrangement.vertices[static_cast<std::size_t>(wire.a)].at;
    const Point b = arrangement.vertices[static_cast<std::size_t>(wire.b)].at;
    for (const Point& point : Curve{a, wire.control, b}.samples(0.1)) take(point);
  }
}

}  // namespace tutti::draw
