/// @file
/// The families of networks. Each function throws `Error(invalid_argument)` for sizes that make no network of its
/// family.
#pragma once

#include <memory>
#include <vector>

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
/// ancestor and down.
TopologyPtr tree_topology(int arity, int levels);
/// Makes a fat tree: a link has as many lanes as the subtree below it has ranks, divided by `taper` at each level of
/// switches that it is above: with 1 nothing is narrowed, with `arity` it is the plain tree. Source: C. E. Leiserson,
/// Fat-Trees: Universal Networks for Hardware-Efficient Supercomputing, 1985.
TopologyPtr fat_tree_topology(int arity, int levels, int taper = 1);

/// A folded Clos network: switches in two or three levels, several ways between every two ranks. `below[l]` nodes of
/// level l hang on each switch of level l + 1, and each node of level l has a cable of one lane to each of `above[l]`
/// switches; ranks are level 0, with one switch each. Where above[l] < below[l - 1] the network tapers. Routes go up to
/// the first common ancestors, to that one which the destination's number says, and down (D-mod-k); ECMP chooses among
/// all of them.
/// Sources: S. R. Öhring, M. Ibel, S. K. Das, M. J. Kumar, On Generalized Fat Trees, IPPS 1995; E. Zahavi, Fat-Tree
/// Routing and Node Ordering Providing Contention Free Traffic for MPI Global Collectives, JPDC 72(11), 2012.
TopologyPtr clos_topology(const std::vector<int>& below, const std::vector<int>& above);

/// Nodes of GPUs, each GPU with 18 lanes to its node's NVSwitch and a network card of its own, 2 lanes, on the rail of
/// the GPUs that have its number in their nodes: one switch, however large. A message to another rail goes over the
/// GPU of that rail in the sender's node. A lane is an NVLink of 25 GB/s each way.
/// Source: W. Wang, M. Ghobadi, K. Shakeri, Y. Zhang, N. Hasani, Rail-only: A Low-Cost High-Performance Network for
/// Training LLMs with Trillion Parameters, HotI 2024.
TopologyPtr rails_topology(int nodes, int gpus);

/// Groups of `routers` fully connected routers, each with `ranks_each` ranks and `global_links` cables to other groups;
/// routers · global_links + 1 groups, one cable between every two. Routes are local, global, local, which the source
/// calls minimal: they take the one cable between two groups, also where a way over a third group has fewer links.
/// Source: J. Kim, W. Dally, S. Scott, D. Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008.
TopologyPtr dragonfly_topology(int ranks_each, int routers, int global_links);

}  // namespace tutti
