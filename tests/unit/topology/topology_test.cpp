/// @file
/// Laws of every network, and known values of the families.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "base/integers.hpp"
#include "topology/embedding.hpp"
#include "topology/graph.hpp"
#include "topology/named.hpp"
#include "topology/nodes.hpp"
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
                         ::testing::Values("linear:1", "linear:2", "linear:9", "linear:3x4", "ring:1", "ring:2",
                                           "ring:3", "ring:8", "ring:9", "mesh:4x4", "mesh:3x5", "mesh:2x2", "mesh:1x6",
                                           "mesh:3x2x4", "torus:5", "hypercube:0", "hypercube:1", "hypercube:5",
                                           "full:1", "full:7", "star:1", "star:6", "tree:1", "tree:2", "tree:16",
                                           "fat-tree:3x3", "fat-tree:4x2", "dragonfly:1x1x1", "dragonfly:2x4x2",
                                           "dragonfly:1x3x1", "nvlink:4", "dgx-1v", "nvswitch:8", "nvswitch:3x4"));

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

TEST(Queries, BisectionHasItsKnownValues) {
  EXPECT_EQ(topology_named("linear:8")->bisection(), 1.0);
  EXPECT_EQ(topology_named("ring:8")->bisection(), 2.0);
  EXPECT_EQ(topology_named("mesh:4x4")->bisection(), 8.0);
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
       {"linear:8", "ring:8", "hypercube:3", "full:6", "star:6", "tree:8", "mesh:4x2", "mesh:4x4"}) {
    const TopologyPtr network = topology_named(words);
    GraphDescription graph{.name = words, .ranks = network->ranks(), .switches = network->nodes() - network->ranks()};
    std::set<LinkId> used;
    for (int a = 0; a < network->ranks(); ++a) {
      for (int b = 0; b < network->ranks(); ++b) {
        for (const LinkId id : route_of(*network, a, b)) used.insert(id);
      }
    }
    for (const LinkId id : used) graph.links.push_back(network->link(id));
    EXPECT_EQ(graph_topology(graph)->bisection(), network->bisection()) << words;
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

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Named, RefusesWithTheNearestOrTheRightForm) {
  const auto said = [](const char* words) { return refusal([&] { topology_named(words); }); };
  EXPECT_NE(said("hypercub:3").find("hypercube"), std::string::npos);
  for (const char* words : {"",
                            "mesh",
                            "mesh:4",
                            "mesh:4x",
                            "mesh:x4",
                            "mesh:4x-1",
                            "mesh:0x4",
                            "mesh:4xfour",
                            "ring:",
                            "ring:0",
                            "ring:3x3",
                            "hypercube:31",
                            "hypercube:-1",
                            "full:0",
                            "full:99999999999",
                            "tree:6",
                            "tree:0",
                            "fat-tree:1x3",
                            "fat-tree:9x99",
                            "dragonfly:2x2",
                            "dragonfly:0x1x1",
                            "dragonfly:9999x9999x9999",
                            "nvlink:5",
                            "nvswitch:0x4",
                            "mesh:99999x99999",
                            "linear:1000000x1000000x1000000"}) {
    EXPECT_NE(said(words), "") << words;
    EXPECT_EQ(said(words).find('\n'), std::string::npos) << words;
  }
}

TEST(Json, MakesTheNetworkItDescribes) {
  const TopologyPtr network = topology_from_json(
      R"({"ranks": 2, "switches": 1, "links": [{"from": 0, "to": 2, "lanes": 2, "tw": 1e-9}, {"from": 2, "to": 1, "directed": true},
         {"from": 1, "to": 0, "directed": true, "th": 1e-7}]})",
      "net.json");
  EXPECT_EQ(network->links(), 4);
  EXPECT_EQ(network->distance(0, 1), 2);
  EXPECT_EQ(network->distance(1, 0), 1);
  EXPECT_EQ(network->link(0).cost, (LinkCost{.lanes = 2, .tw = 1e-9}));
}

TEST(Json, RefusesWhatIsNoNetworkInOneLine) {
  const auto said = [](std::string_view text) { return refusal([&] { topology_from_json(text, "net.json"); }); };
  for (const char* text :
       {"", "{", "[]", "3", R"({"ranks": 2})", R"({"ranks": -2, "links": []})", R"({"ranks": 2.5, "links": []})",
        R"({"ranks": 2, "links": []})", R"({"ranks": 2, "links": [{"from": 0, "to": 2}]})",
        R"({"ranks": 2, "links": [{"from": 0, "to": 0}]})",
        R"({"ranks": 2, "links": [{"from": 0, "to": 1, "tw": -1}]})",
        R"({"ranks": 2, "links": [{"from": 0, "to": 1, "lanes": 0}]})",
        R"({"ranks": 2, "links": [{"from": 0, "to": 1, "weight": 1}]})",
        R"({"ranks": 2, "links": [{"from": 0, "to": 1, "tw": "x"}]})",
        R"({"ranks": 2, "links": [{"from": 0, "to": 1, "tw": 1e999}]})", R"({"ranks": 1e9, "links": []})",
        R"({"ranks": 100000, "switches": 100000, "links": []})",
        R"({"ranks": 2, "links": [{"from": 0, "to": 1, "directed": true}]})"}) {
    EXPECT_NE(said(text), "") << text;
    EXPECT_EQ(said(text).find('\n'), std::string::npos) << said(text);
  }
  const std::string deep = "net.json: lists and objects are nested more than 3 deep";
  EXPECT_EQ(said(std::string(30'000'000, '[')), deep);
  EXPECT_EQ(said(R"({"ranks": 2, "switches": )" + std::string(1000000, '[')), deep);
  EXPECT_NE(said(R"({"ranks": 2, "links": [)" + std::string(1000000, '[') + std::string(1000000, ']') + "]}"), "");
}

constexpr const char* four_gpus = R"(        GPU0    GPU1    GPU2    GPU3    mlx5_0  CPU Affinity    NUMA Affinity
GPU0     X      NV2     NV1     SYS     PIX     0-19            0
GPU1    NV2      X      SYS     NV1     PIX     0-19            0
GPU2    NV1     SYS      X      NV2     SYS     20-39           1
GPU3    SYS     NV1     NV2      X      SYS     20-39           1
mlx5_0  PIX     PIX     SYS     SYS      X

Legend:

  X    = Self
)";

TEST(NvidiaSmi, ReadsItsMatrix) {
  const TopologyPtr machine = topology_from_nvidia_smi(four_gpus, "topo.txt");
  EXPECT_EQ(machine->ranks(), 4);
  EXPECT_EQ(machine->nodes(), 5);
  EXPECT_EQ(machine->distance(0, 1), 1);
  EXPECT_EQ(machine->distance(0, 3), 2);
  EXPECT_EQ(machine->link(route_of(*machine, 2, 3)[0]).cost.lanes, 2);
}

// A matrix as it is printed: `entry` says how GPU a and GPU b are connected; NICs and affinities stand beside.
std::string matrix_of(int gpus, const std::function<std::string(int, int)>& entry, bool with_nics) {
  std::string text = "\x1b[4m\t";
  for (int b = 0; b < gpus; ++b) text += "GPU" + std::to_string(b) + "\t";
  text += with_nics ? "NIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
                    : "CPU Affinity\tNUMA Affinity\x1b[0m\n";
  for (int a = 0; a < gpus; ++a) {
    text += "GPU" + std::to_string(a) + "\t";
    for (int b = 0; b < gpus; ++b) text += (a == b ? " X " : entry(std::min(a, b), std::max(a, b))) + "\t";
    text += with_nics ? "PXB\tSYS\t48-63,176-191\t3\t\tN/A\n" : "0-19,40-59\t0\n";
  }
  for (int nic = 0; with_nics && nic < 2; ++nic) {
    text += "NIC" + std::to_string(nic) + "\t";
    for (int b = 0; b < gpus; ++b) text += "PXB\t";
    text += nic == 0 ? " X \tSYS\n" : "SYS\t X \n";
  }
  text +=
      "\nLegend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA "
      "nodes\n"
      "  NV#  = Connection traversing a bonded set of # NVLinks\n";
  return with_nics ? text + "\nNIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_1\n" : text;
}

double lanes_out_of(const Topology& network, int node) {
  double lanes = 0;
  for (LinkId id = 0; id < network.links(); ++id) {
    if (network.link(id).from == node) lanes += network.link(id).cost.lanes;
  }
  return lanes;
}

TEST(NvidiaSmi, PutsGpusThatShowAllTheirNvlinksForEveryPairOnASwitch) {
  struct Case {
    int gpus, nvlinks;
  };
  // DGX H100, DGX A100, DGX-2, H800, HGX A100 with half of its GPUs visible.
  for (const auto& [gpus, nvlinks] : {Case{8, 18}, Case{8, 12}, Case{16, 6}, Case{8, 8}, Case{4, 12}, Case{3, 18}}) {
    const TopologyPtr machine =
        topology_from_nvidia_smi(matrix_of(
                                     gpus, [&](int, int) { return "NV" + std::to_string(nvlinks); }, true),
                                 "topo.txt");
    EXPECT_EQ(machine->nodes(), gpus + 1);
    EXPECT_EQ(machine->usual_tw(), 1 / 25e9);
    for (int gpu = 0; gpu < gpus; ++gpu) EXPECT_EQ(lanes_out_of(*machine, gpu), nvlinks);
    EXPECT_EQ(machine->distance(0, gpus - 1), 2);
  }
}

TEST(NvidiaSmi, JoinsGpusWhoseNvlinksSufficeDirectly) {
  // HGX A100 and H100 with four GPUs; two GPUs with bridges.
  struct Case {
    int gpus, nvlinks;
  };
  for (const auto& [gpus, nvlinks] : {Case{4, 4}, Case{4, 6}, Case{2, 12}, Case{2, 18}, Case{2, 4}, Case{1, 1}}) {
    const TopologyPtr machine =
        topology_from_nvidia_smi(matrix_of(
                                     gpus, [&](int, int) { return "NV" + std::to_string(nvlinks); }, false),
                                 "topo.txt");
    EXPECT_EQ(machine->nodes(), gpus);
    for (int gpu = 0; gpu < gpus; ++gpu) EXPECT_EQ(lanes_out_of(*machine, gpu), nvlinks * (gpus - 1));
  }
}

TEST(NvidiaSmi, ReadsADgx1AsTheCubeMeshThatItIs) {
  const TopologyPtr cube = topology_named("dgx-1v");
  const auto lanes = [&](int a, int b) {
    for (LinkId id = 0; id < cube->links(); ++id) {
      if (cube->link(id).from == a && cube->link(id).to == b) return static_cast<int>(cube->link(id).cost.lanes);
    }
    return 0;
  };
  const auto entry = [&](int a, int b) { return lanes(a, b) == 0 ? "SYS" : "NV" + std::to_string(lanes(a, b)); };
  const TopologyPtr machine = topology_from_nvidia_smi(matrix_of(8, entry, false), "topo.txt");
  EXPECT_EQ(machine->nodes(), 9);
  for (int a = 0; a < 8; ++a) {
    // Six NVLinks, and PCIe 3.0 to the connection of the sockets.
    EXPECT_NEAR(lanes_out_of(*machine, a), 6 + 15.75 / 25, 1e-12);
    for (int b = 0; b < 8; ++b) EXPECT_EQ(machine->distance(a, b), cube->distance(a, b));
  }
}

TEST(NvidiaSmi, HangsGpusWithoutNvlinksOnATreeOfSwitches) {
  // Two sockets with two PCIe switches of two GPUs each.
  const auto entry = [](int a, int b) -> std::string {
    if (a / 4 != b / 4) return "SYS";
    return a / 2 != b / 2 ? "NODE" : "PIX";
  };
  const TopologyPtr box = topology_from_nvidia_smi(matrix_of(8, entry, true), "topo.txt");
  EXPECT_EQ(box->nodes(), 8 + 4 + 2 + 1);
  EXPECT_EQ(box->distance(0, 1), 2);
  EXPECT_EQ(box->distance(0, 2), 4);
  EXPECT_EQ(box->distance(0, 7), 6);
  const auto speed = [&](LinkId id) { return box->link(id).cost.lanes / *box->usual_tw(); };
  EXPECT_NEAR(speed(route_of(*box, 0, 1)[0]), 31.5e9, 1);
  EXPECT_NEAR(speed(route_of(*box, 0, 7)[2]), 20.8e9, 1);
  // PXB and PHB are levels of their own; one socket has no connection of sockets.
  const auto one_socket = [](int a, int b) -> std::string { return b == 3 ? "PHB" : a == 0 && b == 1 ? "PIX" : "PXB"; };
  EXPECT_EQ(topology_from_nvidia_smi(matrix_of(4, one_socket, false), "topo.txt")->nodes(), 4 + 3);
  // The uplink of a PCIe switch is shared by what hangs on it.
  for (int gpu = 0; gpu < 8; ++gpu) EXPECT_NEAR(lanes_out_of(*box, gpu), 31.5 / 25, 1e-12);
}

TEST(NvidiaSmi, RefusesWhatIsNoMatrix) {
  const std::string good = four_gpus;
  const auto said = [](const std::string& text) {
    return refusal([&] { topology_from_nvidia_smi(text, "topo.txt"); });
  };
  EXPECT_NE(said(""), "");
  EXPECT_NE(said("no GPUs here\n"), "");
  EXPECT_NE(said(good.substr(0, good.size() / 2)), "");
  std::string odd = good;
  odd.replace(odd.find("NV2"), 3, "NV9");
  EXPECT_NE(said(odd).find("disagree"), std::string::npos);
  std::string strange = good;
  strange.replace(strange.find("SYS"), 3, "ABC");
  EXPECT_NE(said(strange).find("ABC"), std::string::npos);
}

}  // namespace
}  // namespace tutti
