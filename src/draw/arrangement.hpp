/// @file
/// Where the ranks, switches and cables of a network stand in a drawing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "draw/svg.hpp"
#include "schedule/layout.hpp"
#include "topology/topology.hpp"

namespace tutti::draw {

/// A rank's processor or a switch.
struct Vertex {
  Point at;            ///< in units of about the distance between neighbours, y downwards
  std::string label;   ///< "5"; "S0" for a switch
  std::string detail;  ///< a second name, below the first: "101" on a hypercube; may be empty
  bool is_switch = false;
  int node = -1;  ///< the node that the rank, or all ranks joined to the switch, are on; -1: not told apart by nodes
};

/// A cable between two vertices: straight, or a quadratic curve with this control point. Links one way are cables, too.
struct Wire {
  int a = 0;
  int b = 0;  ///< above `a`
  bool curved = false;
  Point control;     ///< where curved
  double lanes = 1;  ///< links side by side
};

/// A drawing of a network, in abstract units: scale each axis as needed.
struct Arrangement {
  std::vector<Vertex> vertices;  ///< the topology's nodes, by number: ranks, then switches
  std::vector<Wire> wires;       ///< in order of their ends; between two vertices at most one
  Point low;                     ///< the corners of the box around all vertices and curves
  Point high;
  std::string note;  ///< what is left out, one sentence; may be empty

  /// The cable between two vertices, in either order; null where none is drawn. O(log wires).
  const Wire* wire_between(int a, int b) const;
};

/// How many ranks are drawn at most, and vertices of any kind.
constexpr int most_ranks_drawn = 72;
constexpr int most_vertices_drawn = 160;

/// The network as textbooks draw it: a ring as a circle, a long one winding, a linear array as a line, a mesh as a grid
/// whose wrap-around links are arcs, one of three dimensions as slices side by side, or around a ring where it wraps,
/// then with the slices of a second row upside down, more of them in projection, a hypercube of up to 6 dimensions with
/// binary labels, a tree of switches as a tree, switches in several ways as layers, rails as columns of a table whose
/// rows are nodes, a dragonfly as groups around a circle, machines of GPUs as their makers do, ranks that are all
/// joined on a circle; anything else by springs. The same network always gets the same arrangement.
///
/// Of a network with more than `most_ranks_drawn` ranks or `most_vertices_drawn` vertices only the first
/// `most_ranks_drawn` ranks are vertices, in rows, without switches and cables; the note says so.
Arrangement arrangement_of(const Topology& topology);
/// The same with ranks told apart by their nodes, where there are several: by a color, and the node below its number. A
/// switch is of a node if it joins the ranks of that node and of no other.
Arrangement arrangement_of(const Topology& topology, const Layout& layout);

/// The corners of the box around all vertices and curves are set anew.
void set_bounds(Arrangement& arrangement);

}  // namespace tutti::draw
