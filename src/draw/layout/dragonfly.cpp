/// @file
/// Dragonflies: groups of routers around a circle.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "draw/layout/network_families.hpp"

namespace tutti::draw {
namespace {

// The ranks of each router, by vertex; wires join ranks, which have lower numbers, to routers.
std::vector<std::vector<int>> ranks_by_router(const Arrangement& arrangement) {
  std::vector<std::vector<int>> found(arrangement.vertices.size());
  for (const Wire& wire : arrangement.wires) {
    const bool rank = !arrangement.vertices[static_cast<std::size_t>(wire.a)].is_switch;
    if (rank) found[static_cast<std::size_t>(wire.b)].push_back(wire.a);
  }
  return found;
}

int first_router(const Arrangement& arrangement) {
  const auto& vertices = arrangement.vertices;
  const auto first = std::find_if(vertices.begin(), vertices.end(), [](const Vertex& v) { return v.is_switch; });
  return static_cast<int>(first - vertices.begin());
}

}  // namespace

Positions as_dragonfly(const Arrangement& arrangement, int routers) {
  constexpr double between_groups = 0.8;
  constexpr double between_ranks = 0.75;
  const std::vector<std::vector<int>> ranks = ranks_by_router(arrangement);
  const int first = first_router(arrangement);
  const int all = static_cast<int>(arrangement.vertices.size()) - first;
  const int groups = all / routers;
  // Each router has as much of the circle as its ranks take outside of it.
  const double each = std::max(1.0, between_ranks * static_cast<double>(ranks[static_cast<std::size_t>(first)].size()));
  const double round = all * each + groups * between_groups;
  const double radius = std::max(1.2, round / (2 * std::numbers::pi));
  Positions places(arrangement.vertices.size());
  const auto on = [&](double along, double far) {
    const double angle = 2 * std::numbers::pi * along / round;
    return Point{far * std::sin(angle), -far * std::cos(angle)};
  };
  for (int router = 0; router < all; ++router) {
    const double along = router * each + router / routers * between_groups;
    const auto vertex = static_cast<std::size_t>(first + router);
    places[vertex] = on(along, radius);
    const std::vector<int>& mine = ranks[vertex];
    for (std::size_t k = 0; k < mine.size(); ++k) {
      const double aside = (static_cast<double>(k) - static_cast<double>(mine.size() - 1) / 2) * between_ranks;
      places[static_cast<std::size_t>(mine[k])] = on(along + aside, radius + 1.1);
    }
  }
  return places;
}

void bend_between_routers(Arrangement& arrangement) {
  constexpr double depth = 0.45;  // for each router that is passed
  const int first = first_router(arrangement);
  const int all = static_cast<int>(arrangement.vertices.size()) - first;
  for (Wire& wire : arrangement.wires) {
    const int apart = std::min(wire.b - wire.a, all - (wire.b - wire.a));
    if (wire.a < first || apart < 2 || apart > std::max(3, all / 4)) continue;
    const Point a = arrangement.vertices[static_cast<std::size_t>(wire.a)].at;
    const Point b = arrangement.vertices[static_cast<std::size_t>(wire.b)].at;
    const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    const double part = std::max(0.1, 1 - 2 * depth * std::min(apart - 1, 3) / std::hypot(middle.x, middle.y));
    wire.curved = true;
    wire.control = {middle.x * part, middle.y * part};
  }
}

}  // namespace tutti::draw
