/// @file
/// Circles, rows, grids and hypercubes.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.hpp"
#include "draw/layout/network_families.hpp"

namespace tutti::draw {
namespace {

constexpr double pi = std::numbers::pi;

Point sum(Point a, Point b, double times = 1) { return {a.x + times * b.x, a.y + times * b.y}; }

Point& at(Arrangement& arrangement, int vertex) { return arrangement.vertices[static_cast<std::size_t>(vertex)].at; }

// Returns the distance of a circle's vertices from its middle.
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

// Distances between the ranks of a slice that leave room for arcs between them.
struct SliceSteps {
  double column = 1;
  double row = 1.3;
  double gap = 1;  // columns left out between slices

  double next_slice(const Shape& shape) const { return column * (shape.extent(2) + gap); }
};

// Whether slices that wrap around go to the right and back in two rows, so that each is next to those before and after.
bool goes_back(int slices) { return slices >= 4 && slices % 2 == 0; }

SliceSteps steps_between(const Shape& shape, bool wrap) {
  if (!wrap || shape.extent(0) == 2) return {};
  return goes_back(shape.extent(0)) ? SliceSteps{.column = 1.45, .row = 1.4, .gap = 0.75}
                                    : SliceSteps{.column = 1.25, .row = 2.2};
}

// Between the rows of slices next to one another in a column.
constexpr double fold = 1.5;

// The row of a rank in its column of slices, from the top. Below others a slice lies upside down, so that ranks that a
// link joins are as far from the fold as one another, and links lie within one another.
double row_of(const Shape& shape, int rank, double below) {
  const int rows = shape.extent(1);
  const int row = shape.coordinate(rank, 1);
  return below == 0 ? row : rows - 1 + fold + (rows - 1 - row);
}

// In slices, a column and a row of them. An odd number that wraps around is folded: no slice is further than two from
// the next.
Point place_of_slice(int slices, int slice, bool wrap) {
  if (!wrap || slices < 4) return {static_cast<double>(slice), 0};
  const int half = slices / 2;
  if (goes_back(slices)) {
    return slice < half ? Point{static_cast<double>(slice), 0} : Point{static_cast<double>(slices - 1 - slice), 1};
  }
  return {static_cast<double>(slice <= half ? 2 * slice : 2 * (slices - slice) - 1), 0};
}

// Rows of about the same number of vertices, as wide as the fullest, to the right and back in turn.
void add_winding_rows(Positions& places, int vertices, int rows, double left) {
  const double widest = std::max(0, (vertices + rows - 1) / rows - 1);
  for (int row = 0; row < rows; ++row) {
    const int mine = vertices / rows + (row < vertices % rows ? 1 : 0);
    for (int k = 0; k < mine; ++k) {
      const double along = mine == 1 ? 0 : k * widest / (mine - 1);
      places.push_back({left + (row % 2 == 0 ? along : widest - along), static_cast<double>(row)});
    }
  }
}

// Returns the rows that give a picture of so many vertices about the shape of a screen.
double rows_for(int vertices) { return std::sqrt(vertices / 1.8); }

}  // namespace

Positions on_circle(int vertices) {
  Positions places;
  const double radius = radius_for(vertices);
  for (int v = 0; v < vertices; ++v) {
    const double angle = 2 * pi * v / vertices;
    places.push_back({radius * std::sin(angle), -radius * std::cos(angle)});
  }
  return places;
}

Positions on_winding_line(int vertices) {
  Positions places;
  add_winding_rows(places, vertices, std::max(1, static_cast<int>(std::lround(rows_for(vertices)))), 0);
  return places;
}

// An even number of rows beside a column: from its top along the first row and back along the next, until the last row
// returns to the foot of the column.
Positions on_winding_ring(int vertices) {
  const int rows = 2 * std::max(1, static_cast<int>(std::lround(rows_for(vertices) / 2)));
  Positions places{{0, 0}};
  add_winding_rows(places, vertices - rows, rows, 1);
  for (int row = rows; row-- > 1;) places.push_back({0, static_cast<double>(row)});
  return places;
}

Positions as_star(int vertices) {
  constexpr int most_on_one = 16;
  constexpr int circles = 3;
  const int leaves = vertices - 1;
  Positions places = on_circle(leaves);
  places.push_back({0, 0});
  if (leaves <= most_on_one) return places;
  constexpr double free_way = 0.3;  // between a vertex of the innermost circle and the ways beside it
  const double inner = std::max(1.5, free_way * leaves / (2 * pi));
  for (int v = 0; v < leaves; ++v) {
    const double stretched = (inner + 0.8 * (v % circles)) / radius_for(leaves);
    places[static_cast<std::size_t>(v)] = sum({0, 0}, places[static_cast<std::size_t>(v)], stretched);
  }
  return places;
}

Positions in_rows(int vertices, int columns) {
  Positions places;
  for (int v = 0; v < vertices; ++v)
    places.push_back({static_cast<double>(v % columns), static_cast<double>(v / columns)});
  return places;
}

Positions in_grid(const Shape& shape) {
  std::vector<int> extents;
  for (int d = shape.dimensions(); d-- > 0;) extents.push_back(shape.extent(d));
  const std::vector<Point> steps = steps_in(extents);
  Positions places;
  for (int rank = 0; rank < shape.size(); ++rank) {
    Point place;
    for (int d = 0; d < shape.dimensions(); ++d)
      place = sum(place, steps[static_cast<std::size_t>(shape.dimensions() - 1 - d)], shape.coordinate(rank, d));
    places.push_back(place);
  }
  return places;
}

Positions in_slices(const Shape& shape, bool wrap) {
  const SliceSteps steps = steps_between(shape, wrap);
  Positions places;
  for (int rank = 0; rank < shape.size(); ++rank) {
    const Point slice = place_of_slice(shape.extent(0), shape.coordinate(rank, 0), wrap);
    places.push_back({slice.x * steps.next_slice(shape) + steps.column * shape.coordinate(rank, 2),
                      steps.row * row_of(shape, rank, slice.y)});
  }
  return places;
}

void bend_in_slices(Arrangement& arrangement, const Shape& shape, bool wrap) {
  constexpr double over_rows = 1.1;    // height of the control point; an arc has half of it
  constexpr double over_words = 1.05;  // leaves room for what stands below a rank
  constexpr double within = 0.62;
  const SliceSteps steps = steps_between(shape, wrap);
  const double next_slice = steps.next_slice(shape);
  for (Wire& wire : arrangement.wires) {
    const Point a = at(arrangement, wire.a);
    const Point b = at(arrangement, wire.b);
    const bool between = shape.coordinate(wire.a, 0) != shape.coordinate(wire.b, 0);
    const bool lies = a.y == b.y;
    // Beside what they pass: between slices above rows and to the right of columns, within one on the other sides.
    // Those of one column that go from slice to slice lie within one another, around the fold.
    const int from_fold = shape.extent(1) - 1 - shape.coordinate(wire.a, 1);
    const double beyond = from_fold == 0 ? 0 : 2 * (0.2 + 0.14 * from_fold);
    const double aside = !between ? (lies ? over_words : -within)
                         : lies   ? -over_rows * std::abs(b.x - a.x) / next_slice
                                  : beyond;
    const bool passes = between || std::abs(shape.coordinate(wire.a, 1) - shape.coordinate(wire.b, 1)) > 1 ||
                        std::abs(shape.coordinate(wire.a, 2) - shape.coordinate(wire.b, 2)) > 1;
    if (!passes) continue;
    wire.curved = true;
    wire.control = sum(sum({0, 0}, a, 0.5), b, 0.5);
    (lies ? wire.control.y : wire.control.x) += aside;
  }
}

// The steps of each bit are chosen so that vertices keep clear of one another and of edges that are not theirs.
Positions on_hypercube(int dimensions) {
  using Steps = std::vector<Point>;
  static const Steps cube{{1, 0}, {0, -1}, {0.45, -0.45}};
  static const Steps two_cubes{{1, 0}, {0, -1}, {0.33, -0.42}, {1.95, 0.48}};
  static const Steps four_cubes{{1, 0}, {0, -1}, {0.45, -0.37}, {2.09, 0.48}, {0.6, 2.69}};
  static const Steps eight_cubes{{1, 0}, {0, -1}, {0.33, -0.46}, {2.59, 0.56}, {0.71, 2.95}, {4.69, 0.57}};
  const Steps& steps = dimensions <= 3   ? cube
                       : dimensions == 4 ? two_cubes
                       : dimensions == 5 ? four_cubes
                                         : eight_cubes;
  Positions places;
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
      const bool goes_down = std::abs(aside.x) > std::abs(aside.y);
      // In projection there are vertices between the rows; else there are words between columns, and below rows.
      const double height = shape.dimensions() > 2 ? 0.4 : goes_down ? 0.6 : 1.0;
      const double sign = (goes_down ? aside.x : aside.y) < 0 ? 1 : -1;
      wire.curved = true;
      wire.control = sum(sum(Point{a.x / 2, a.y / 2}, b, 0.5), aside, sign * height);
    }
  }
}

Positions as_cube_mesh() { return {{0, 0}, {1.5, 0}, {1.5, 1.5}, {0, 1.5}, {4.5, 0}, {3, 0}, {3, 1.5}, {4.5, 1.5}}; }

}  // namespace tutti::draw
