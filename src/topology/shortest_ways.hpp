/// @file
/// All shortest ways between two ranks, and networks that use one of them.
#pragma once

#include <vector>

#include "topology/families/families.hpp"

namespace tutti {

using LinkPath = std::vector<LinkId>;

/// Every shortest way. Their number may grow exponentially with their length.
std::vector<LinkPath> shortest_ways(const Topology& topology, int from, int to);

/// The way of one pair of ranks.
struct Detour {
  int from = 0;
  int to = 0;
  LinkPath way;
};

/// The network with these ways for these pairs; others keep theirs.
TopologyPtr rerouted(TopologyPtr network, std::vector<Detour> detours);

}  // namespace tutti
