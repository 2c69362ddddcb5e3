/// @file
/// Circles, rows, grids and hypercubes.

#include <cmath>
#include <numbers>

#include "base/check.hpp"
#include "draw/families.hpp"

namespace tutti::draw {
namespace {

constexpr double pi = std::numbers::pi;

Point sum(Point a, Point b, double times = 1) { return {a.x + times * b.x, a.y + times * b.y}; }

Point& at(Arrangement& arrangement, int vertex) { return arrangement.vertices[static_cast<std::size_t>(vertex)].at; }

// How far from the middle the vertices of a circle stand.
double radius_for(int vertices) { return vertices < 2 ? 0 : 0.5 / std::sin(pi / vertices); }

// One step along each dimension of a grid, fastest dimension first. The third goes to the upper right within a cell of
// the first two; further ones place whole copies beside or below one another.
std::vector<Point> steps_in(const std::vector<int>& extents) {
  std::vector<Point> steps;
  double width = 1;
  double height = 1;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const double extent = extents[k];
    if (k == 0) {
      steps.push_back({1, 0});
      width = extent;
    } else if (k == 1) {
      steps.push_back({0, 1});
      height = extent;
    } else if (k == 2) {
      steps.push_back({1 / extent, -1 / extent});
      width += 1;
      height += 1;
    } else if (k % 2 == 1) {
      steps.push_back({width, 0.37 / extent});
      width *= extent;
    } else {
      steps.push_back({0.37 / extent, height});
      height *= extent;
    }
  }
  return steps;
}

}  // namespace

Places on_circle(int vertices) {
  Places places;
  const double radius = radius_for(vertices);
  for (int v = 0; v < vertices; ++v) {
    const double angle = 2 * pi * v / vertices;
    places.push_back({radius * std::sin(angle), -radius * std::cos(angle)});
  }
  return places;
}

Places in_rows(int vertices, int columns) {
  Places places;
  for (int v = 0; v < vertices; ++v)
    places.push_back({static_cast<double>(v % columns), static_cast<double>(v / columns)});
  return places;
}

Places in_grid(const Shape& shape) {
  std::vector<int> extents;
  for (int d = shape.dimensions(); d-- > 0;) extents.push_back(shape.extent(d));
  const std::vector<Point> steps = steps_in(extents);
  Places places;
  for (int rank = 0; rank < shape.size(); ++rank) {
    Point place;
    for (int d = 0; d < shape.dimensions(); ++d)
      place = sum(place, steps[static_cast<std::size_t>(shape.dimensions() - 1 - d)], shape.coordinate(rank, d));
    places.push_back(place);
  }
  return places;
}

// The steps of each bit are chosen so that vertices keep clear of one another and of edges that are not theirs.
Places on_hypercube(int dimensions) {
  using Steps = std::vector<Point>;
  static const Steps cube{{1, 0}, {0, -1}, {0.45, -0.45}};
  static const Steps two_cubes{{1, 0}, {0, -1}, {0.33, -0.42}, {1.95, 0.48}};
  static const Steps four_cubes{{1, 0}, {0, -1}, {0.45, -0.37}, {2.09, 0.48}, {0.6, 2.69}};
  static const Steps eight_cubes{{1, 0}, {0, -1}, {0.33, -0.46}, {2.59, 0.56}, {0.71, 2.95}, {4.69, 0.57}};
  const Steps& steps = dimensions <= 3   ? cube
                       : dimensions == 4 ? two_cubes
                       : dimensions == 5 ? four_cubes
                                         : eight_cubes;
  Places places;
  for (int v = 0; v < 1 << dimensions; ++v) {
    Point place;
    for (int bit = 0; bit < dimensions; ++bit) {
      if ((v >> bit & 1) != 0) place = sum(place, steps[static_cast<std::size_t>(bit)]);
    }
    places.push_back(place);
  }
  return places;
}

void bend_along_circle(Arrangement& arrangement) {
  const double radius = radius_for(static_cast<int>(arrangement.vertices.size()));
  if (arrangement.vertices.size() < 3) return;
  // The middle of the curve is to be on the circle.
  for (Wire& wire : arrangement.wires) {
    const Point middle = sum(at(arrangement, wire.a), at(arrangement, wire.b));
    const double far = std::hypot(middle.x, middle.y);
    if (far < 1e-9) continue;
    wire.curved = true;
    wire.control = {middle.x * (2 * radius / far - 0.5), middle.y * (2 * radius / far - 0.5)};
  }
}

void bend_around(Arrangement& arrangement, const Shape& shape) {
  for (Wire& wire : arrangement.wires) {
    for (int d = 0; d < shape.dimensions(); ++d) {
      const int apart = shape.coordinate(wire.b, d) - shape.coordinate(wire.a, d);
      if (apart < 2) continue;
      const Point a = at(arrangement, wire.a);
      const Point b = at(arrangement, wire.b);
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      // To the left of what goes down, and above what goes right; a curve's height is half that of its control point.
      const Point aside{(b.y - a.y) / length, -(b.x - a.x) / length};
      const double height = shape.dimensions() > 2 ? 0.4 : 0.68;  // in projection there are vertices between the rows
      const double sign = (std::abs(aside.x) > std::abs(aside.y) ? aside.x : aside.y) < 0 ? 1 : -1;
      wire.curved = true;
      wire.control = sum(sum(Point{a.x / 2, a.y / 2}, b, 0.5), aside, sign * height);
    }
  }
}

Places as_cube_mesh() { return {{0, 0}, {1.5, 0}, {1.5, 1.5}, {0, 1.5}, {4.5, 0}, {3, 0}, {3, 1.5}, {4.5, 1.5}}; }

}  // namespace tutti::draw
