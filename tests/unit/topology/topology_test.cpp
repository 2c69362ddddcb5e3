/// @file
/// Laws of every network, and known values of the families.

#include <gtest/gtest.h>

#include <set>

#include "base/integers.hpp"
#include "support/spelled_out.hpp"
#include "topology/embedding.hpp"
#include "topology/families/nodes.hpp"
#include "topology/formats/named.hpp"
#include "topology/graph.hpp"
#include "topology/machine.hpp"
#include "topology/metrics.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

// Two links within a node, four between nodes, and one cable for all that a node has with others.
TEST(Nodes, ShareOneCable) {
  for (const std::vector<int>& ranks_on : {std::vector<int>{1}, {4}, {1, 1}, {3, 5, 1}, {2, 2, 2, 2}}) {
    const TopologyPtr network = nodes_topology(ranks_on);
    std::vector<int> node_of;
    for (std::size_t node = 0; node < ranks_on.size(); ++node)
      node_of.insert(node_of.end(), static_cast<std::size_t>(ranks_on[node]), static_cast<int>(node));
    ASSERT_EQ(network->ranks(), static_cast<int>(node_of.size()));
    std::set<LinkId> out;
    for (int a = 0; a < network->ranks(); ++a) {
      for (int b = 0; b < network->ranks(); ++b) {
        const bool together = node_of[static_cast<std::size_t>(a)] == node_of[static_cast<std::size_t>(b)];
        EXPECT_EQ(network->distance(a, b), a == b ? 0 : together ? 2 : 4);
        if (!together) out.insert(route_of(*network, a, b)[1]);
      }
    }
    EXPECT_EQ(out.size(), ranks_on.size() == 1 ? 0 : ranks_on.size());
  }
  EXPECT_EQ(nodes_topology(std::vector<int>{3, 5, 1})->name(), "nodes:3+5+1");
  EXPECT_EQ(nodes_topology(std::vector<int>{8, 8, 8})->name(), "nodes:3x8");
  EXPECT_EQ(nodes_topology(std::vector<int>{8})->name(), "nodes:8");
  EXPECT_THROW(nodes_topology(std::vector<int>{3, 0}), Error);
  EXPECT_THROW(nodes_topology(std::vector<int>{}), Error);
}

class EveryNetwork : public ::testing::TestWithParam<const char*> {
 protected:
  TopologyPtr network = topology_named(GetParam());
};

TEST_P(EveryNetwork, RoutesLeadFromLinkToLinkToTheirEndAndAreAsLongAsTheDistance) {
  for (int a = 0; a < network->ranks(); ++a) {
    for (int b = 0; b < network->ranks(); ++b) {
      int at = a;
      for (const LinkId id : route_of(*network, a, b)) {
        ASSERT_LT(id, network->links());
        const Link link = network->link(id);
        ASSERT_EQ(link.from, at) << "route from " << a << " to " << b;
        at = link.to;
      }
      ASSERT_EQ(at, b);
      ASSERT_EQ(network->distance(a, b), static_cast<int>(route_of(*network, a, b).size()));
    }
  }
}

TEST_P(EveryNetwork, ChoicesAlwaysComeNearerAndTheRouteIsAsShortAsAny) {
  for (int a = 0; a < network->ranks(); ++a) {
    for (int b = 0; b < network->ranks(); ++b) {
      int at = a;
      int steps = 0;
      // Always the last choice: another way than the route's wherever there is one.
      while (at != b) {
        std::vector<LinkId> choices;
        network->choices(at, b, choices);
        ASSERT_FALSE(choices.empty()) << "at node " << at << " on the way to " << b;
        for (const LinkId id : choices) ASSERT_EQ(network->link(id).from, at);
        ASSERT_EQ(std::set<LinkId>(choices.begin(), choices.end()).size(), choices.size());
        at = network->link(choices.back()).to;
        ASSERT_LE(++steps, network->distance(a, b));
      }
      ASSERT_EQ(steps, network->distance(a, b));
    }
  }
}

TEST_P(EveryNetwork, DistanceIsSymmetric) {
  for (int a = 0; a < network->ranks(); ++a) {
    for (int b = 0; b < a; ++b) ASSERT_EQ(network->distance(a, b), network->distance(b, a));
  }
}

INSTANTIATE_TEST_SUITE_P(Families, EveryNetwork,
                         ::testing::Values("linear:1", "linear:2", "linear:9", "mesh:3x4", "ring:1", "ring:2", "ring:3",
                                           "ring:8", "ring:9", "torus:4x4", "torus:3x5", "torus:2x2", "torus:1x6",
                                           "torus:3x2x4", "torus:5", "hypercube:0", "hypercube:1", "hypercube:5",
                                           "full:1", "full:7", "star:1", "star:6", "tree:1", "tree:2", "tree:16",
                                           "fat-tree:3x3", "fat-tree:4x2", "dragonfly:1x1x1", "dragonfly:2x4x2",
                                           "dragonfly:1x3x1", "nvlink:4", "dgx-1v", "nvswitch:8", "nvswitch:3x4",
                                           "fat-tree:4x2x2", "clos:1x1x1", "clos:2x3x2", "clos:4x4x4", "clos:3x2x2x2x3",
                                           "rails:2x2", "rails:3x4", "numa:1x1x1", "numa:2x2x3"));

TEST(Queries, DiameterAndMeanDistanceHaveTheirKnownValues) {
  for (int p = 2; p <= 20; ++p) {
    const TopologyPtr line = grid_topology(Shape{p}, false);
    EXPECT_EQ(diameter(*line), p - 1);
    EXPECT_NEAR(mean_distance(*line), (p + 1) / 3.0, 1e-12);
    const TopologyPtr ring = grid_topology(Shape{p}, true);
    EXPECT_EQ(diameter(*ring), p / 2);
    EXPECT_NEAR(mean_distance(*ring), p % 2 == 0 ? p * p / 4.0 / (p - 1) : (p + 1) / 4.0, 1e-12);
  }
  for (int d = 1; d <= 7; ++d) {
    const double p = 1 << d;
    EXPECT_EQ(diameter(*hypercube_topology(d)), d);
    EXPECT_NEAR(mean_distance(*hypercube_topology(d)), d / 2.0 * p / (p - 1), 1e-12);
  }
  for (int r = 2; r <= 7; ++r) EXPECT_EQ(diameter(*grid_topology(Shape{r, r}, true)), 2 * (r / 2));
  EXPECT_EQ(diameter(*topology_named("tree:16")), 8);
  EXPECT_EQ(diameter(*topology_named("star:9")), 2);
  EXPECT_EQ(diameter(*topology_named("dragonfly:2x4x2")), 5);
  EXPECT_EQ(diameter(*topology_named("full:9")), 1);
}

// A network is told by the words that make it; other words for it are told by those.
TEST(Names, OfGridsSayWhetherTheyWrapAround) {
  for (const char* words : {"linear:8", "ring:8", "mesh:4x4", "mesh:2x3x4", "torus:4x4", "torus:2x3x4"})
    EXPECT_EQ(topology_named(words)->name(), words);
  EXPECT_EQ(topology_named("linear:4x4")->name(), "mesh:4x4");
  EXPECT_EQ(topology_named("torus:8")->name(), "ring:8");
  EXPECT_EQ(diameter(*topology_named("mesh:4x5")), 7);
  EXPECT_EQ(diameter(*topology_named("torus:4x5")), 4);
}

TEST(Queries, BisectionHasItsKnownValues) {
  EXPECT_EQ(topology_named("linear:8")->bisection(), 1.0);
  EXPECT_EQ(topology_named("ring:8")->bisection(), 2.0);
  EXPECT_EQ(topology_named("torus:4x4")->bisection(), 8.0);
  EXPECT_EQ(topology_named("mesh:4x4")->bisection(), 4.0);
  EXPECT_EQ(topology_named("linear:4x4")->bisection(), 4.0);
  EXPECT_EQ(topology_named("hypercube:4")->bisection(), 8.0);
  EXPECT_EQ(topology_named("full:8")->bisection(), 16.0);
  EXPECT_EQ(topology_named("tree:8")->bisection(), 1.0);
  EXPECT_EQ(topology_named("fat-tree:4x2")->bisection(), 8.0);
  EXPECT_EQ(topology_named("nvlink:4")->bisection(), 8.0);
  // The two quads of a DGX-1V are joined by 2 + 2 + 1 + 1 lanes.
  EXPECT_EQ(topology_named("dgx-1v")->bisection(), 6.0);
}

TEST(Queries, BisectionOfAGraphIsThatOfItsFamily) {
  for (const char* words :
       {"linear:8", "ring:8", "hypercube:3", "full:6", "star:6", "tree:8", "torus:4x2", "torus:4x4"}) {
    const TopologyPtr network = topology_named(words);
    EXPECT_EQ(test::spelled_out(*network)->bisection(), network->bisection()) << words;
  }
}

// Families name their narrowest halving; what a graph of the same links has is found by search.
TEST(Json, OfANetworkReadsBackAsTheSame) {
  for (const char* words :
       {"linear:1",   "linear:5",   "ring:2",         "mesh:2x3",       "torus:3x3",      "hypercube:3",
        "star:6",     "tree:8",     "fat-tree:2x3x2", "fat-tree:4x2",   "fat-tree:4x2x2", "dragonfly:1x3x1",
        "clos:2x4x2", "clos:4x2x2", "clos:2x4x3",     "clos:2x2x2x1x2", "clos:2x2x2x2x1", "rails:2x4",
        "rails:4x2",  "rails:3x3",  "dgx-1v",         "numa:2x2x3"}) {
    const TopologyPtr network = topology_named(words);
    const TopologyPtr back = topology_from_json(json_of_topology(*network), words);
    ASSERT_EQ(back->ranks(), network->ranks()) << words;
    ASSERT_EQ(back->nodes(), network->nodes()) << words;
    for (int a = 0; a < network->ranks(); ++a) {
      for (int b = 0; b < network->ranks(); ++b) ASSERT_EQ(back->distance(a, b), network->distance(a, b)) << words;
    }
    const Metrics there = metrics_of(*network);
    const Metrics here = metrics_of(*back);
    EXPECT_EQ(here.cables, there.cables) << words;
    EXPECT_DOUBLE_EQ(here.lanes, there.lanes) << words;
    EXPECT_EQ(here.degree, there.degree) << words;
    EXPECT_NEAR(*here.mean_distance, *there.mean_distance, 1e-12) << words;
    if (there.bisection && here.bisection) {
      EXPECT_DOUBLE_EQ(*here.bisection, *there.bisection) << words;
    }
  }
  EXPECT_THROW(json_of_topology(*topology_named("ring:8192")), Error);
}

// Also of networks whose usual time a byte is not that of a machine.
TEST(Json, OfANetworkHasItsTimes) {
  for (const char* words : {"ring:4", "dgx-1v", "rails:2x4"}) {
    const TopologyPtr network = topology_named(words);
    const TopologyPtr back = topology_from_json(json_of_topology(*network), words);
    Machine usual;
    usual.tw = network->usual_tw().value_or(usual.tw);
    for (int rank = 1; rank < network->ranks(); ++rank) {
      EXPECT_DOUBLE_EQ(path_cost({}, *back, route_of(*back, 0, rank), 1).per_byte,
                       path_cost(usual, *network, route_of(*network, 0, rank), 1).per_byte)
          << words << ", rank " << rank;
    }
  }
}

TEST(Machines, EveryV100HasSixNvlinks) {
  for (const char* words : {"nvlink:4", "dgx-1v", "nvswitch:8"}) {
    const TopologyPtr machine = topology_named(words);
    for (int gpu = 0; gpu < machine->ranks(); ++gpu) {
      double lanes = 0;
      for (LinkId id = 0; id < machine->links(); ++id) {
        if (machine->link(id).from == gpu) lanes += machine->link(id).cost.lanes;
      }
      EXPECT_EQ(lanes, 6) << words << " GPU " << gpu;
    }
  }
}

TEST(Embedding, NeighboursOnTheRingAreNeighboursInTheHypercube) {
  for (int d = 1; d <= 8; ++d) {
    const TopologyPtr cube = embedded(hypercube_topology(d), ring_in_hypercube(d));
    for (int r = 0; r < 1 << d; ++r) EXPECT_EQ(cube->distance(r, modulo(r + 1, 1 << d)), 1);
    // Ranks 2^i apart, i >= 1, are two links apart.
    for (int i = 1; i < d; ++i) {
      for (int r = 0; r < 1 << d; ++r)
        EXPECT_EQ(cube->distance(r, modulo(r + (1 << i), 1 << d)), i + 1 == d && d == 1 ? 1 : 2);
    }
  }
}

TEST(Embedding, NeighboursOnTheMeshAreNeighboursInTheHypercube) {
  const Shape shape{4, 8, 2};
  const TopologyPtr cube = embedded(hypercube_topology(6), mesh_in_hypercube(shape));
  const TopologyPtr mesh = grid_topology(shape, true);
  for (int a = 0; a < 64; ++a) {
    for (int b = 0; b < 64; ++b) {
      if (mesh->distance(a, b) == 1) {
        EXPECT_EQ(cube->distance(a, b), 1);
      }
    }
  }
  EXPECT_THROW(mesh_in_hypercube(Shape{3, 4}), Error);
}

TEST(Embedding, ALineWindsThroughAGridFromNeighbourToNeighbour) {
  for (const Shape& shape : {Shape{5}, Shape{3, 4}, Shape{4, 3}, Shape{3, 3, 3}, Shape{2, 5, 4}}) {
    const TopologyPtr line = embedded(grid_topology(shape, false), line_in_grid(shape));
    for (int r = 0; r + 1 < shape.size(); ++r) EXPECT_EQ(line->distance(r, r + 1), 1);
  }
}

TEST(Embedding, RefusesWhatIsNoPermutation) {
  EXPECT_THROW(embedded(full_topology(3), {0, 1}), Error);
  EXPECT_THROW(embedded(full_topology(3), {0, 1, 1}), Error);
  EXPECT_THROW(embedded(full_topology(3), {0, 1, 3}), Error);
}

TEST(HypercubeRouting, ExchangesWithXorPartnersShareNoLink) {
  for (int d = 1; d <= 6; ++d) {
    const TopologyPtr cube = hypercube_topology(d);
    for (int j = 1; j < 1 << d; ++j) {
      std::set<LinkId> used;
      for (int r = 0; r < 1 << d; ++r) {
        for (const LinkId id : route_of(*cube, r, r ^ j)) EXPECT_TRUE(used.insert(id).second);
      }
    }
  }
}

TEST(HypercubeRouting, NoCircularShiftSharesALink) {
  for (int d = 1; d <= 7; ++d) {
    const TopologyPtr cube = hypercube_topology(d);
    for (int q = 1; q < 1 << d; ++q) {
      std::set<LinkId> used;
      for (int r = 0; r < 1 << d; ++r) {
        for (const LinkId id : route_of(*cube, r, (r + q) % (1 << d)))
          EXPECT_TRUE(used.insert(id).second) << "q = " << q;
      }
    }
  }
}

}  // namespace
}  // namespace tutti
