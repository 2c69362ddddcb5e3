/// @file
/// A network whose links cost something else.
#pragma once

#include <functional>

#include "topology/families.hpp"

namespace tutti {

/// The network with `cost` of each link instead of the link's own; all else is the network's. `cost` is asked often.
TopologyPtr repriced(TopologyPtr network, std::function<LinkCost(LinkId id, const Link& link)> cost);

/// Links that are alike: as far from the ranks at both ends, whichever is nearer first, and of the same cost.
struct AlikeLinks {
  int nearer = 0;   ///< how many links from the nearest rank the one end is: 0 for a rank
  int farther = 0;  ///< and the other
  LinkCost cost;
  std::vector<LinkId> links;
};

/// All links that messages can take, by class, those next to ranks first. Needs at most `most_links_looked_at` links.
std::vector<AlikeLinks> classes_of_links(const Topology& topology);

}  // namespace tutti
