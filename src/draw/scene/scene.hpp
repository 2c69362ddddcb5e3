/// @file
/// An arrangement in pixels, with room for what each rank holds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "draw/geometry.hpp"
#include "draw/layout/arrangement.hpp"

namespace tutti::draw {

/// The size of letters beside ranks and arrows, and of a line of them.
constexpr double small_text = 11;
constexpr double small_line = 13;
/// The size of letters within vertices: of their names, and of their second names below these.
constexpr double name_text = 12;
constexpr double detail_text = 11;

/// The size of what is written beside a vertex at most: 0 for nothing.
struct PixelSize {
  double width = 0;
  double height = 0;
};

/// The size of these lines.
PixelSize size_of_lines(std::span<const std::string> lines);

/// Places of everything in one panel. All panels of a drawing share it.
struct Scene {
  std::vector<Point> vertices;
  std::vector<Body> bodies;       ///< the vertices themselves
  std::vector<Box> labels;        ///< boxes of the words beside them; without size if there are none
  std::vector<Anchor> alignment;  ///< alignment of the lines in each label
  std::vector<Box> nodes;         ///< around what is of each node, by node; none where nodes are among one another
  std::vector<Curve> wires;       ///< by wire of the arrangement, from `a` to `b`
  Box bounds;
};

/// Draws the nodes as boxes, the wires, and the vertices with their names.
void draw_network(Svg& svg, const Arrangement& arrangement, const Scene& scene);

}  // namespace tutti::draw
