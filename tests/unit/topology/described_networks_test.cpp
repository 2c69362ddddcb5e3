/// @file
/// Networks by their names, from JSON, and from what nvidia-smi prints.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "topology/formats/named.hpp"
#include "topology/graph.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

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
                            "torus:4x",
                            "mesh:x4",
                            "torus:4x-1",
                            "torus:0x4",
                            "torus:4xfour",
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
                            "nvswitch:1000000000",
                            "nvswitch:65536x65536",
                            "nvswitch:46341x46341",
                            "torus:99999x99999",
                            "mesh:1000000x1000000x1000000",
                            "fat-tree:4x2x5",
                            "clos:4x4",
                            "clos:4x4x0",
                            "clos:2x2x2x2",
                            "clos:9999x9999x9999",
                            "rails:8",
                            "rails:1x8",
                            "rails:99999x99999",
                            "numa:8",
                            "numa:2x0x8",
                            "numa:99x99x99"}) {
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

TEST(Json, TakesTimesWithUnits) {
  const auto cost = [](const std::string& times) {
    return topology_from_json("{\"ranks\": 2, \"links\": [{\"from\": 0, \"to\": 1, " + times + "}]}", "net.json")
        ->link(0)
        .cost;
  };
  EXPECT_EQ(cost(R"("ts": "2us", "tw": "0.5ns", "th": "4ns")"), cost(R"("ts": 2e-6, "tw": 0.5e-9, "th": 4e-9)"));
  EXPECT_EQ(refusal([&] { cost(R"("tw": "soon")"); }),
            "net.json: link 0: \"tw\": 'soon' is not a time; write a number with a unit such as 1us, 0.1ns or 30s");
}

// GPUs have no routers; what a file says survives being written and read again.
TEST(Json, SaysWhoForwards) {
  const auto read = [](const std::string& more) {
    return topology_from_json("{\"ranks\": 2, " + more + "\"links\": [{\"from\": 0, \"to\": 1}]}", "net.json");
  };
  EXPECT_EQ(read("")->forwarding(), Forwarding::hardware);
  EXPECT_EQ(read("\"forwarding\": \"hardware\", ")->forwarding(), Forwarding::hardware);
  EXPECT_EQ(read("\"forwarding\": \"ranks\", ")->forwarding(), Forwarding::ranks);
  EXPECT_THROW(read("\"forwarding\": \"gpus\", "), Error);
  EXPECT_THROW(read("\"forwarding\": 1, "), Error);
  for (const char* words : {"dgx-1v", "nvlink:4", "rails:2x3", "ring:5", "torus:3x3", "hypercube:3", "full:4"}) {
    const TopologyPtr network = topology_named(words);
    const std::string family = std::string(words).substr(0, std::string(words).find(':'));
    const bool gpus = family == "dgx-1v" || family == "nvlink" || family == "rails";
    EXPECT_EQ(network->forwarding(), gpus ? Forwarding::ranks : Forwarding::hardware) << words;
    EXPECT_EQ(topology_from_json(json_of_topology(*network), words)->forwarding(), network->forwarding()) << words;
  }
}

TEST(Json, RefusesWhatIsNoNetworkInOneLine) {
  const auto said = [](std::string_view text) { return refusal([&] { topology_from_json(text, "net.json"); }); };
  for (const char* text : {"",
                           "{",
                           "[]",
                           "3",
                           R"({"ranks": 2})",
                           R"({"ranks": -2, "links": []})",
                           R"({"ranks": 2.5, "links": []})",
                           R"({"ranks": 2, "links": []})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 2}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 0}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "tw": -1}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "lanes": 0}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "lanes": 1e-300}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "lanes": 1e31}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "tw": 1e-31}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "ts": 1e31}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "weight": 1}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "tw": "x"}]})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "tw": 1e999}]})",
                           R"({"ranks": 1e9, "links": []})",
                           R"({"ranks": 100000, "switches": 100000, "links": []})",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "directed": true}]})"}) {
    EXPECT_NE(said(text), "") << text;
    EXPECT_EQ(said(text).find('\n'), std::string::npos) << said(text);
  }
  const auto said_of = [&](const std::string& cost) {
    return said(R"({"ranks": 3, "links": [{"from": 0, "to": 1}, {"from": 2, "to": 1, )" + cost + "}]}");
  };
  EXPECT_EQ(said_of(R"("lanes": -2)"), "net.json: the link from 2 to 1 must have from 1e-30 to 1e30 lanes, not -2");
  for (const std::string time : {"ts", "tw", "th"}) {
    EXPECT_EQ(said_of("\"" + time + "\": -1"), "net.json: " + time +
                                                   " of the link from 2 to 1 must be 0, or from 1e-30 to 1e30 seconds, "
                                                   "not -1");
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
                                     gpus, [count = nvlinks](int, int) { return "NV" + std::to_string(count); }, true),
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
                                     gpus, [count = nvlinks](int, int) { return "NV" + std::to_string(count); }, false),
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
  const TopologyPtr machine = topology_from_nvidia_smi(matrix_of(8, entry, false), "topo.txt", 3);
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
  const TopologyPtr box = topology_from_nvidia_smi(matrix_of(8, entry, true), "topo.txt", 4);
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
  std::string many = good;
  for (std::size_t at = 0; (at = many.find("NV", at)) != std::string::npos; at += 2) many.insert(at + 2, "100000000");
  EXPECT_NE(said(many).find("NV100000000"), std::string::npos);
}

// Two packages of two caches of three cores, as hwloc 2 writes it: memory beside caches, threads below cores.
std::string hwloc_two() {
  std::string text = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0xfff">
    <info name="Note" value="a > b"/>
)";
  for (int package = 0; package < 2; ++package) {
    text += "<object type=\"Package\" os_index=\"0\">\n<object type=\"NUMANode\" os_index=\"0\"/>\n";
    for (int cache = 0; cache < 2; ++cache) {
      text += "<object type=\"L3Cache\">\n";
      for (int core = 0; core < 3; ++core)
        text +=
            "<object type=\"L2Cache\"><object type=\"Core\"><object type=\"PU\"/><object "
            "type=\"PU\"/></object></object>\n";
      text += "</object>\n";
    }
    text += "</object>\n";
  }
  return text + "<object type=\"Bridge\"><object type=\"PCIDev\"/></object>\n</object>\n</topology>\n";
}

void expect_alike(const Topology& a, const Topology& b) {
  ASSERT_EQ(a.ranks(), b.ranks());
  ASSERT_EQ(a.links(), b.links());
  for (LinkId id = 0; id < a.links(); ++id) EXPECT_EQ(a.link(id).cost, b.link(id).cost);
  for (int x = 0; x < a.ranks(); ++x) {
    for (int y = 0; y < a.ranks(); ++y) EXPECT_EQ(a.distance(x, y), b.distance(x, y));
  }
}

TEST(Hwloc, HasARankForEachCoreAndASwitchForWhatTheyShare) {
  const TopologyPtr machine = topology_from_hwloc(hwloc_two(), "machine.xml");
  expect_alike(*machine, *topology_named("numa:2x2x3"));
  EXPECT_EQ(machine->distance(0, 2), 2);
  EXPECT_EQ(machine->distance(0, 3), 4);
  EXPECT_EQ(machine->distance(0, 6), 6);
  // hwloc 1 has caches within memory, and calls a package a socket.
  const TopologyPtr old = topology_from_hwloc(
      R"(<topology><object type="Machine"><object type="Socket"><object type="NUMANode"><object type="Core"/><object type="Core"/></object></object>
         <object type="Socket"><object type="NUMANode"><object type="Core"/><object type="Core"/></object></object></object></topology>)",
      "old.xml");
  EXPECT_EQ(old->ranks(), 4);
  EXPECT_EQ(old->distance(0, 1), 2);
  EXPECT_EQ(old->distance(1, 2), 4);
  EXPECT_EQ(topology_from_hwloc(R"(<object type="Machine"><object type="PU"/><object type="PU"/></object>)", "a.xml")
                ->ranks(),
            2);
}

TEST(Hwloc, RefusesWhatDescribesNoProcessorsInOneLine) {
  const std::string good = hwloc_two();
  const auto said = [](const std::string& text) { return refusal([&] { topology_from_hwloc(text, "machine.xml"); }); };
  for (std::size_t size = 0; size + 13 < good.size(); size += 37) {
    const std::string sentence = said(good.substr(0, size));
    EXPECT_NE(sentence.find("machine.xml"), std::string::npos) << size;
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
  }
  EXPECT_NE(said(R"(<object type="Machine"><object type="NUMANode"/></object>)").find("no processors"),
            std::string::npos);
  EXPECT_NE(said(R"(<object type="Machine"/></object>)"), "");
  EXPECT_NE(said(R"(<object os_index="0"><object type="Core"/></object>)"), "");
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += R"(<object type="Group">)";
  EXPECT_NE(said(deep), "");
}

// A hint that a user runs as it stands must not write over the file at hand: it does not name it.
TEST(Hwloc, SaysWhatAnotherFileSeemsToBe) {
  const auto said = [](const std::string& text) { return refusal([&] { topology_from_hwloc(text, "machine.xml"); }); };
  EXPECT_EQ(
      said("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"simgrid.dtd\">\n<platform version=\"4.1\"><zone/>"
           "</platform>"),
      "machine.xml is no machine in hwloc's XML: it has no objects; it seems to be a platform of SimGrid: describe "
      "its links as FILE.json");
  EXPECT_NE(said("<algo name=\"a\" coll=\"allreduce\"/>").find("a schedule of MSCCL: 'tutti verify schedule' reads it"),
            std::string::npos);
  EXPECT_NE(said("<system version=\"1\"><cpu/></system>").find("a topology of NCCL"), std::string::npos);
  EXPECT_NE(said("<nvidia_smi_log><gpu/></nvidia_smi_log>").find("nvidia-smi topo -m"), std::string::npos);
  EXPECT_NE(said("<!DOCTYPE HTML><HTML></HTML>").find("a web page"), std::string::npos);
  EXPECT_NE(said("").find("it seems to be empty"), std::string::npos);
  EXPECT_NE(said("Machine (16GB total)\n  Package L#0\n").find("lstopo writes XML with --of xml"), std::string::npos);
  const std::string good = hwloc_two();
  for (const std::string& text :
       {std::string("<platform/>"), std::string("<what/>"), std::string("no XML"), good.substr(0, good.size() / 2)}) {
    const std::string sentence = said(text);
    EXPECT_EQ(sentence.find("machine.xml", 1), std::string::npos) << sentence;
    EXPECT_NE(sentence, "");
  }
}

}  // namespace
}  // namespace tutti
