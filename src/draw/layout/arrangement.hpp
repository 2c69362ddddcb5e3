/// @file
/// Arrangement: the places of a network's ranks, switches and cables in a drawing.
#pragma once

#include <string>
#include <vector>

#include "draw/svg.hpp"

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
  Point control;     ///< control point of a curved wire
  double lanes = 1;  ///< links side by side
};

/// A drawing of a network, in abstract units: scale each axis as needed.
struct Arrangement {
  std::vector<Vertex> vertices;  ///< the topology's nodes, by number: ranks, then switches
  std::vector<Wire> wires;       ///< in order of their ends; between two vertices at most one
  Point low;                     ///< the corners of the box around all vertices and curves
  Point high;
  std::string note;  ///< remark on what is left out, one sentence; may be empty

  /// The cable between two vertices, in either order; null where none is drawn. O(log wires).
  const Wire* wire_between(int a, int b) const;
};

/// Most ranks, and most vertices of any kind, that are drawn.
constexpr int most_ranks_drawn = 72;
constexpr int most_vertices_drawn = 160;

/// Sets the corners of the box around all vertices and curves anew.
void set_bounds(Arrangement& arrangement);

}  // namespace tutti::draw
