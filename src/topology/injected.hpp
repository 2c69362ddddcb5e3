/// @file
/// Networks derived from others: with the injection limits of ranks as links, or with other costs of links.
#pragma once

#include <functional>

#include "topology/families/families.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// Returns the network with each rank's limit as links: where a rank's links carry more than a byte in `injection`
/// seconds, they end at a switch in its place, and the rank hangs on that by a link each way of just that speed. So the
/// limit holds for all that the rank sends and for all that it gets, over whichever links, and not for what passes by
/// it on its way to others, as in a simulation with that limit. A rank whose links carry less is left as it is.
///
///     1 ══ 2 ══ 3   becomes   1'══ 2'══ 3'      ══ the network's links
///                             │    │    │        │ the limits
///                             1    2    3
///
/// If a rank's links carry more one way than the other, the limit that way is as much wider: as much leads into each
/// new switch as out of it, and the limit is then not kept exactly.
///
/// The new switches follow the network's own nodes, in order of their ranks. Needs an `injection` above 0.
/// Throws `Error(invalid_argument)` where the network is too large for a graph that is stored.
TopologyPtr with_injection(const Topology& topology, const Machine& machine, double injection);

/// The network with `cost` of each link instead of the link's own; all else is the network's. `cost` is asked often.
TopologyPtr repriced(TopologyPtr network, std::function<LinkCost(LinkId id, const Link& link)> cost);

/// Links that are alike: as far from the ranks at both ends, whichever is nearer first, and of the same cost.
struct AlikeLinks {
  int nearer = 0;   ///< number of links from the nearest rank to the one end: 0 for a rank
  int farther = 0;  ///< and the other
  LinkCost cost;
  std::vector<LinkId> links;
};

/// All links that messages can take, by class, those next to ranks first. Needs at most `most_links_looked_at` links.
std::vector<AlikeLinks> classes_of_links(const Topology& topology);

}  // namespace tutti
