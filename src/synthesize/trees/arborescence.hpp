/// @file
/// The cheapest tree that leads from a root to all nodes.
#pragma once

#include <vector>

namespace tutti::synthesize {

/// The parent of each node in a spanning tree out of `root` of the least total weight, -1 for the root. An edge from a
/// to b weighs weights[a * nodes + b]; every weight is finite. Cost: O(nodes^2) for each level of circles of cheapest
/// edges, of which there are few.
/// Source: J. Edmonds, Optimum Branchings, 1967.
std::vector<int> least_arborescence(int nodes, int root, const std::vector<double>& weights);

}  // namespace tutti::synthesize
