/// @file
/// Any graph, by springs: wires pull, all vertices push one another apart, and what they may move shrinks.

#include <algorithm>
#include <cmath>
#include <limits>

#include "draw/layout/network_families.hpp"

namespace tutti::draw {
namespace {

constexpr int rounds = 400;

struct Pull {
  Point by;
  double length = 0;
};

Pull between(Point a, Point b) {
  const Point by{b.x - a.x, b.y - a.y};
  return {by, std::max(1e-6, std::hypot(by.x, by.y))};
}

void add(Point& sum, const Pull& pull, double force) {
  sum.x += pull.by.x / pull.length * force;
  sum.y += pull.by.y / pull.length * force;
}

// Over the ideal distance 1, two vertices push by 1/d and a wire pulls by d².
std::vector<Point> forces_on(const Positions& places, const std::vector<Wire>& wires) {
  std::vector<Point> forces(places.size());
  for (std::size_t a = 0; a < places.size(); ++a) {
    for (std::size_t b = a + 1; b < places.size(); ++b) {
      const Pull pull = between(places[a], places[b]);
      add(forces[a], pull, -1 / pull.length);
      add(forces[b], pull, 1 / pull.length);
    }
  }
  for (const Wire& wire : wires) {
    const auto a = static_cast<std::size_t>(wire.a);
    const auto b = static_cast<std::size_t>(wire.b);
    const Pull pull = between(places[a], places[b]);
    add(forces[a], pull, pull.length * pull.length);
    add(forces[b], pull, -pull.length * pull.length);
  }
  return forces;
}

// Scales the places so that the two nearest vertices are 1 apart.
void spread(Positions& places) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < places.size(); ++a) {
    for (std::size_t b = a + 1; b < places.size(); ++b)
      nearest = std::min(nearest, between(places[a], places[b]).length);
  }
  if (places.size() < 2) return;
  for (Point& place : places) place = {place.x / nearest, place.y / nearest};
}

}  // namespace

Positions by_springs(const Arrangement& arrangement) {
  Positions places = on_circle(static_cast<int>(arrangement.vertices.size()));
  // Off the symmetric start, from which no force would lead.
  for (std::size_t v = 0; v < places.size(); ++v) places[v].x += 0.01 * static_cast<double>(v * v % 7);
  const double start = std::sqrt(static_cast<double>(places.size()));
  for (int round = 0; round < rounds; ++round) {
    const double most = start * (1 - static_cast<double>(round) / rounds) / 10;
    const std::vector<Point> forces = forces_on(places, arrangement.wires);
    for (std::size_t v = 0; v < places.size(); ++v) {
      const double force = std::max(1e-9, std::hypot(forces[v].x, forces[v].y));
      places[v].x += forces[v].x / force * std::min(force, most);
      places[v].y += forces[v].y / force * std::min(force, most);
    }
  }
  spread(places);
  return places;
}

}  // namespace tutti::draw
