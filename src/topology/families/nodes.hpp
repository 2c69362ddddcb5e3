/// @file
/// Nodes of several ranks each, joined by a switch.
#pragma once

#include <span>

#include "topology/families/families.hpp"

namespace tutti {

/// The first ranks_on[0] ranks on node 0, the next ranks_on[1] on node 1, and so on. Each rank has a cable to its
/// node's switch, and each node's switch one to the switch between the nodes: the ranks of a node share it. The
/// switches are those of the nodes, by node, then the one between; a single node is a star. Named "nodes:3+5+1".
/// Throws `Error(invalid_argument)` where a node has no rank, and for more ranks than a stored graph holds.
TopologyPtr nodes_topology(std::span<const int> ranks_on);

/// Costs of links inside nodes, and between them.
struct NodeLinks {
  LinkCost inside;
  LinkCost between;
};

/// Makes nodes with costs of their own inside the nodes, where a rank has two cables: one to the switch inside its
/// node, over which it reaches the others there, and one to the switch that leads out of the node. A message costs what
/// its way does. The switches are those inside, by node, those that lead out, by node, and the one between; a single
/// node has the first alone.
TopologyPtr nodes_topology(std::span<const int> ranks_on, const NodeLinks& links);

}  // namespace tutti
