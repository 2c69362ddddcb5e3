/// @file
/// Network arrangement: places the vertices of a network as its family is drawn in textbooks, and labels them.
#pragma once

#include "draw/layout/arrangement.hpp"
#include "schedule/model/layout.hpp"
#include "topology/topology.hpp"

namespace tutti::draw {

/// Arranges a network as textbooks draw it: a ring as a circle, a long one winding, a linear array as a line, a mesh as
/// a grid whose wrap-around links are arcs, one of three dimensions as slices side by side, or around a ring where it
/// wraps, then with the slices of a second row upside down, more of them in projection, a hypercube of up to 6
/// dimensions with binary labels, a tree of switches as a tree, switches in several ways as layers, rails as columns of
/// a table whose rows are nodes, a dragonfly as groups around a circle, machines of GPUs as their makers do, ranks that
/// are all joined on a circle; anything else by springs. The same network always gets the same arrangement.
///
/// If the network has more than `most_ranks_drawn` ranks or `most_vertices_drawn` vertices, only the first
/// `most_ranks_drawn` ranks are vertices, in rows, without switches and cables; the note says so.
Arrangement arrangement_of(const Topology& topology);
/// Arranges a network whose ranks are told apart by their nodes, if there are several: by a color, and the node below
/// its number. A switch is of a node if it joins the ranks of that node and of no other.
Arrangement arrangement_of(const Topology& topology, const Layout& layout);

}  // namespace tutti::draw
