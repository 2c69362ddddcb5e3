/// @file
/// Capacities of links, of networks that compute theirs and of the same networks link by link.

#include "topology/cuts/capacities.hpp"

#include <gtest/gtest.h>

#include "topology/formats/named.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

// Lines of two have one cable, although a ring numbers two.
TEST(Capacities, AreThoseOfTheSameNetworkLinkByLink) {
  for (const char* words :
       {"linear:1",       "linear:2",    "linear:5",     "ring:1",      "ring:2",          "ring:3",
        "ring:6",         "mesh:1x1",    "mesh:2x1",     "mesh:2x2",    "mesh:2x3",        "mesh:4x2",
        "mesh:3x3",       "mesh:2x2x3",  "torus:1x1",    "torus:1x2",   "torus:2x2",       "torus:2x3",
        "torus:3x2",      "torus:2x4",   "torus:3x3",    "torus:2x1x3", "torus:2x2x2",     "hypercube:0",
        "hypercube:1",    "hypercube:3", "full:1",       "full:2",      "full:5",          "star:1",
        "star:2",         "star:4",      "tree:2",       "tree:8",      "fat-tree:2x3",    "fat-tree:2x1",
        "fat-tree:4x2x2", "clos:2x2x1",  "clos:4x4x2",   "rails:2x4",   "dragonfly:1x1x1", "dragonfly:2x2x1",
        "nvlink:4",       "dgx-1v",      "nvswitch:2x4", "numa:1x1x2",  "numa:2x2x2"}) {
    const TopologyPtr network = topology_named(words);
    const TopologyPtr by_links = graph_topology(graph_of(*network));
    const Machine machine{.ts = 1e-6, .tw = 1e-9};
    const MeasuredCapacities own = capacities_of(*network, machine);
    const MeasuredCapacities listed = capacities_of(*by_links, machine);
    EXPECT_EQ(own.capacities, listed.capacities) << words;
    EXPECT_EQ(own.unit, listed.unit) << words;
  }
}

}  // namespace
}  // namespace tutti
