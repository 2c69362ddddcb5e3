/// @file
/// The narrowest cut of any network, by flows.
#pragma once

#include <vector>

#include "schedule/problem.hpp"
#include "topology/cut.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// The cuts over which the problem's data takes longest, whichever part of the ranks they cut off: of what goes to all
/// ranks (broadcast, all-gather, all-reduce), and of what comes from all (reduce, reduce-scatter, all-reduce). None for
/// other collectives, for blocks that differ, for few ranks, all of whose sets a graph names itself, and for networks
/// of more than 2^16 links times ranks. Cost: some flows a rank.
/// Source: J. Edmonds, Edge-disjoint branchings, 1973: one rank's data can be told to all as fast as the narrowest
/// cut lets it pass; for all ranks' L. Zhao et al., ForestColl, 2024.
std::vector<Cut> narrowest_cuts(const Problem& problem, const Topology& topology, const Machine& machine);

}  // namespace tutti
