/// @file
/// Networks by the words of the command line.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "topology/families/families.hpp"

namespace tutti {

/// One family as it is written: "mesh:4x4" and what that makes.
struct TopologyFamily {
  std::string_view name;     ///< "mesh"
  std::string_view example;  ///< "mesh:4x4"
  std::string_view meaning;
};

/// All families that `topology_named` knows.
std::span<const TopologyFamily> topology_families();

/// The network that the words stand for: ring:8, linear:8, mesh:4x4, mesh:4x4x4, torus:4x4 (a mesh that wraps around),
/// hypercube:3, full:8, star:8, tree:8, fat-tree:4x3 (arity x levels), fat-tree:4x3x2 (and taper), clos:8x4x4 (ranks a
/// leaf x leaves x spines), dragonfly:2x4x2 (ranks a router x routers a group x global links a router), nvlink:4,
/// dgx-1v, nvswitch:8, nvswitch:4x8 (machines x GPUs), rails:4x8 (nodes x GPUs), numa:2x4x8 (packages x shared caches x
/// cores). The families have names of books, too: linear-array:8, fully-connected:8, binary-tree:8. Throws `Error(invalid_argument)` naming the nearest family, or what its sizes must be.
TopologyPtr topology_named(std::string_view words);

/// Whether the words are the name of a family that has sizes, and lack them: "hypercube".
bool lacks_size(std::string_view words);

/// The words with the sizes that make so many ranks: "hypercube:3" of "hypercube" for 8, "mesh:3x3" of "mesh" for 9.
/// Throws `Error(invalid_argument)` where no size makes them, or several would. The words lack their size.
std::string sized_topology(std::string_view words, int ranks);

}  // namespace tutti
