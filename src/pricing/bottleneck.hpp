/// @file
/// Bottleneck: links that a schedule waits for, and the gain if something were twice as fast.
#pragma once

#include <string>
#include <vector>

#include "schedule/model/choice.hpp"
#include "simulate/simulate.hpp"
#include "topology/families/families.hpp"

namespace tutti {

/// Links that are alike, in a simulated run.
struct LinksInUse {
  std::string where;  ///< "ranks to switches", "switches, level 1 to 2", "between ranks"
  LinkCost cost;
  std::size_t links = 0;   ///< number of such links
  LinkLoad busiest;        ///< the one that carried most bytes; none: carried nothing
  double busy = 0;         ///< seconds that the busiest takes for its bytes by itself
  double with_faster = 0;  ///< seconds that the run takes with all of these twice as fast, a byte
};

/// Something else that messages cost, and what the run takes with half of it.
struct HalvedCost {
  std::string name;  ///< "ts"
  double seconds = 0;
};

struct Bottlenecks {
  double seconds = 0;             ///< the run as it is
  std::vector<LinksInUse> links;  ///< classes of links, the greatest gain first
  std::vector<HalvedCost> costs;
};

/// Simulates the choice once as it is, and once for each class of links and each cost. Throws `Error` where a network
/// has so many links that they cannot be told apart, or so many messages are simulated that it takes a minute.
Bottlenecks bottlenecks(const Choice& choice, const Problem& problem, const TopologyPtr& topology,
                        const Machine& machine, const Layout& layout, const SimulationOptions& options);

}  // namespace tutti
