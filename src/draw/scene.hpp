/// @file
/// An arrangement in pixels, with room for what each rank holds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "draw/arrangement.hpp"
#include "draw/geometry.hpp"

namespace tutti::draw {

/// The size of letters beside ranks and arrows, and of a line of them.
constexpr double small_text = 11;
constexpr double small_line = 13;
/// The size of letters within vertices: of their names, and of their second names below these.
constexpr double name_text = 12;
constexpr double detail_text = 9.5;

/// The size of what is written beside a vertex at most: 0 for nothing.
struct Extent {
  double width = 0;
  double height = 0;
};

/// The size of these lines.
Extent extent_of(std::span<const std::string> lines);

/// Where everything stands in one panel. All panels of a drawing share it.
struct Scene {
  std::vector<Point> vertices;
  std::vector<Body> bodies;       ///< the vertices themselves
  std::vector<Box> labels;        ///< what is beside them; without size where nothing is
  std::vector<Anchor> alignment;  ///< of the lines in each label
  std::vector<Box> nodes;         ///< around what is of each node, by node; none where nodes are among one another
  std::vector<Curve> wires;       ///< by wire of the arrangement, from `a` to `b`
  Box bounds;
};

/// Scales the arrangement, from `scale` pixels a unit upwards, until bodies, labels and nodes keep clear of one
/// another, and puts each label where the fewest wires run. `extents` are by vertex. Grows
/// somewhat more where that keeps labels off `busy` wires, by wire; empty for none.
Scene scene_of(const Arrangement& arrangement, const std::vector<Extent>& extents, double scale,
               const std::vector<bool>& busy = {});

/// The same, but labels without a place make it no larger: they have no width.
Scene dense_scene_of(const Arrangement& arrangement, const std::vector<Extent>& extents, double scale);

/// The nodes as boxes, the wires, and the vertices with their names, into the drawing.
void draw_network(Svg& svg, const Arrangement& arrangement, const Scene& scene);

}  // namespace tutti::draw
