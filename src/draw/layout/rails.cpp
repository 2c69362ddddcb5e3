/// @file
/// Nodes joined by rails: a row a node, a column a rail.
///
///         R0     R1       ranks of a rail stand below its switch, those of a node to the right of the node's;
///     S0  0      1        cables turn into the rows and columns from the aisles between them
///         2      3
///     S1

#include "draw/layout/network_families.hpp"

namespace tutti::draw {
namespace {

constexpr double column = 1.35;  // between rails
constexpr double row = 1.5;      // between nodes
// Place of a switch in its aisle, and the spread of its cables there, as shares of it.
constexpr double switch_place = 0.6;
constexpr double first_cable = 0.42;
constexpr double last_cable = 0.86;

double cable_place(int number, int cables) {
  return cables < 2 ? switch_place : first_cable + (last_cable - first_cable) * number / (cables - 1);
}

}  // namespace

Positions as_rails(int nodes, int gpus) {
  Positions places;
  for (int node = 0; node < nodes; ++node) {
    for (int gpu = 0; gpu < gpus; ++gpu) places.push_back({column * gpu, row * node});
  }
  for (int node = 0; node < nodes; ++node) places.push_back({-column, row * (node + switch_place)});
  for (int gpu = 0; gpu < gpus; ++gpu) places.push_back({column * (gpu + switch_place), -row});
  return places;
}

void bend_rails(Arrangement& arrangement, int nodes, int gpus) {
  for (Wire& wire : arrangement.wires) {
    const int node = wire.a / gpus;
    const int gpu = wire.a % gpus;
    const bool in_node = wire.b < nodes * gpus + nodes;
    wire.curved = true;
    wire.control = in_node ? Point{column * gpu, row * (node + cable_place(gpu, gpus))}
                           : Point{column * (gpu + cable_place(node, nodes)), row * node};
  }
}

}  // namespace tutti::draw
