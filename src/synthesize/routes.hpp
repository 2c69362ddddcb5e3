/// @file
/// The ways of messages: a network's own routes, which no schedule chooses.
#pragma once

#include <vector>

#include "topology/topology.hpp"

namespace tutti::synthesize {

/// The nodes that a message passes between two ranks, and these.
using Way = std::vector<int>;

/// The network's own routes of more than one link between all ranks, the shortest first. Among routes of one length the
/// ranks that they begin at take turns. `turned`: every route from its end to its beginning.
std::vector<Way> own_ways(const Topology& topology, bool turned);

}  // namespace tutti::synthesize
