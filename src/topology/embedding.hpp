/// @file
/// Ranks placed on the processors of a network in another order.
#pragma once

#include <vector>

#include "topology/families/families.hpp"

namespace tutti {

/// The network in which rank r sits where rank places[r] of `network` sits.
/// Throws `Error(invalid_argument)` unless `places` is a permutation of the network's ranks.
TopologyPtr embedded(TopologyPtr network, std::vector<int> places);

/// The reflected Gray code of i: consecutive codes differ in one bit, the last and the first too.
constexpr int gray_code(int i) { return i ^ (i >> 1); }

/// A ring of 2^d ranks in a hypercube: neighbours on the ring are neighbours in the hypercube.
std::vector<int> ring_in_hypercube(int dimensions);
/// A mesh whose extents are powers of two in a hypercube: a Gray code for each dimension.
/// Throws `Error(invalid_argument)` for other extents.
std::vector<int> mesh_in_hypercube(const Shape& shape);
/// A linear order in a grid, row by row and back (boustrophedon): consecutive ranks are neighbours.
std::vector<int> line_in_grid(const Shape& shape);

}  // namespace tutti
