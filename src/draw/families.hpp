/// @file
/// Where vertices stand, family by family. Each function fills positions and curves; labels and bounds come later.
#pragma once

#include <vector>

#include "base/shape.hpp"
#include "draw/arrangement.hpp"

namespace tutti::draw {

/// Positions by vertex.
using Places = std::vector<Point>;

/// On a circle, clockwise from the top, neighbours 1 apart.
Places on_circle(int vertices);
/// In rows of `columns`, 1 apart.
Places in_rows(int vertices, int columns);
/// A grid in projection: the fastest dimension to the right, the next downwards, the third to the upper right, and so
/// on.
Places in_grid(const Shape& shape);
/// The hypercube of 1 to 6 dimensions in projection: no vertex on an edge of others.
Places on_hypercube(int dimensions);
/// A tree of switches with the root at the top; empty where the arrangement is none, or a rank forwards for others.
Places as_tree(const Arrangement& arrangement);
/// The eight GPUs of a DGX-1: two squares side by side, the second mirrored.
Places as_cube_mesh();
/// By springs along wires, and repulsion. Source: T. Fruchterman, E. Reingold, Graph Drawing by Force-directed
/// Placement, Software: Practice and Experience 21(11), 1991.
Places by_springs(const Arrangement& arrangement);

/// Wires of a ring follow its circle.
void bend_along_circle(Arrangement& arrangement);
/// Wires that join the ends of a line in a grid become arcs beside the line.
void bend_around(Arrangement& arrangement, const Shape& shape);

}  // namespace tutti::draw
