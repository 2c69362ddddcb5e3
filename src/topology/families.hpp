/// @file
/// The families of networks. Each function throws `Error(invalid_argument)` for sizes that make no network of its
/// family.
#pragma once

#include <memory>

#include "base/shape.hpp"
#include "topology/topology.hpp"

namespace tutti {

using TopologyPtr = std::shared_ptr<const Topology>;

/// A grid of any number of dimensions, with links between neighbours; `wrap` joins the ends of each line (one cable,
/// not two, where a line has two ranks). One dimension: linear array and ring; more: mesh and torus. Routes go along
/// the fastest dimension first, each the shorter way, upwards where both are as long.
TopologyPtr grid_topology(const Shape& shape, bool wrap);

/// 2^d ranks; ranks whose numbers differ in one bit are joined. Routes change the lowest bit first (E-cube).
TopologyPtr hypercube_topology(int dimensions);

/// A cable between every two ranks.
TopologyPtr full_topology(int ranks);

/// Every rank is joined to one switch.
TopologyPtr star_topology(int ranks);

/// Ranks at the leaves of a complete tree of switches with `arity` children each; routes go up to the first common
/// ancestor and down. `fat`: a link has as many lanes as the subtree below it has ranks.
/// Source: C. E. Leiserson, Fat-Trees: Universal Networks for Hardware-Efficient Supercomputing, 1985.
TopologyPtr tree_topology(int arity, int levels, bool fat);

/// Groups of `routers` fully connected routers, each with `ranks_each` ranks and `global_links` cables to other groups;
/// routers · global_links + 1 groups, one cable between every two. Routes are minimal: local, global, local.
/// Source: J. Kim, W. Dally, S. Scott, D. Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008.
TopologyPtr dragonfly_topology(int ranks_each, int routers, int global_links);

}  // namespace tutti
