/// @file
/// Positions of vertices, family by family. Each function fills positions and curves; labels and bounds come later.
#pragma once

#include <vector>

#include "base/shape.hpp"
#include "draw/layout/arrangement.hpp"

namespace tutti::draw {

/// Positions by vertex.
using Positions = std::vector<Point>;

/// On a circle, clockwise from the top, neighbours 1 apart.
Positions on_circle(int vertices);
/// On a line that winds from row to row, neighbours about 1 apart.
Positions on_winding_line(int vertices);
/// On a closed line that winds from row to row and returns along the left edge, neighbours about 1 apart.
Positions on_winding_ring(int vertices);
/// A switch in the middle, joined to the vertices before it: on a circle, and where there are many on several, so that
/// each has a free way to the middle.
Positions as_star(int vertices);
/// In rows of `columns`, 1 apart.
Positions in_rows(int vertices, int columns);
/// A grid in projection: the fastest dimension to the right, the next downwards, the third to the upper right, and so
/// on.
Positions in_grid(const Shape& shape);
/// A grid of three dimensions as slices side by side; where `wrap` joins the last to the first, in a ring of two rows.
Positions in_slices(const Shape& shape, bool wrap);
/// The hypercube of 1 to 6 dimensions in projection: no vertex on an edge of others.
Positions on_hypercube(int dimensions);
/// A tree of switches with the root at the top; empty where the arrangement is none, or a rank forwards for others.
/// Where there are many ranks those of a switch stand on both sides of it, and where there are many such switches those
/// below one switch stand below one another; a tree of two branches each spreads to the sides, upwards and downwards in
/// turn (an H-tree).
Positions as_tree(const Arrangement& arrangement);
/// Ranks in groups, each with its switch, and above them the switches that join groups: Clos networks.
Positions in_layers(const Arrangement& arrangement);
/// Nodes joined by rails: a row a node, with its switch to the left, and a column a rail, with its switch above.
Positions as_rails(int nodes, int gpus);
/// Routers on a circle, group by group, and their ranks outside.
Positions as_dragonfly(const Arrangement& arrangement, int routers);
/// The eight GPUs of a DGX-1: two squares side by side, the second mirrored.
Positions as_cube_mesh();
/// By springs along wires, and repulsion. Source: T. Fruchterman, E. Reingold, Graph Drawing by Force-directed
/// Placement, Software: Practice and Experience 21(11), 1991.
Positions by_springs(const Arrangement& arrangement);

/// Wires of a ring follow its circle.
void bend_along_circle(Arrangement& arrangement);
/// Wires between slices become arcs over rows or beside columns, those around a slice arcs on their other sides.
void bend_in_slices(Arrangement& arrangement, const Shape& shape, bool wrap);
/// Wires between routers of a dragonfly that have few others between them pass inside the circle.
void bend_between_routers(Arrangement& arrangement);
/// Wires come to rows and columns from the aisles between them.
void bend_rails(Arrangement& arrangement, int nodes, int gpus);
/// Wires from the switch of a group come down between its two columns of ranks.
void bend_in_layers(Arrangement& arrangement);
/// Wires from above come between the ranks that stand on both sides of a switch.
void bend_to_switches(Arrangement& arrangement);
/// Wires that join the ends of a line in a grid become arcs beside the line.
void bend_around(Arrangement& arrangement, const Shape& shape);
/// Wires that pass a vertex too near are bent as little as leaves all vertices aside, or else as leaves them the most
/// room.
void bend_past_vertices(Arrangement& arrangement);

}  // namespace tutti::draw
