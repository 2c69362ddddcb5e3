/// @file
/// Networks whose ranks send and receive no faster than a limit of their own.
#pragma once

#include "topology/families.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// The network with limits as links: where a rank's links carry more than a byte in `injection` seconds, they end at a
/// switch in its place, and the rank hangs on that by a link each way of just that speed. So the limit holds for all
/// that the rank sends and for all that it gets, over whichever links, and not for what passes by it on its way to
/// others, as in a simulation with that limit. A rank whose links carry less is left as it is.
///
///     1 ══ 2 ══ 3   becomes   1'══ 2'══ 3'      ══ the network's links
///                             │    │    │        │ the limits
///                             1    2    3
///
/// Where a rank's links carry more one way than the other, the limit that way is as much wider: as much leads into each
/// new switch as out of it, and the limit is then not kept exactly.
///
/// The new switches follow the network's own nodes, in order of their ranks. Needs an `injection` above 0.
/// Throws `Error(invalid_argument)` where the network is too large for a graph that is stored.
TopologyPtr with_injection(const Topology& topology, const Machine& machine, double injection);

}  // namespace tutti
