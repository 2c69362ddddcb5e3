/// @file
/// Networks from any graph of ranks, switches and links, stored as it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/families/families.hpp"
#include "topology/graph_description.hpp"

namespace tutti {

/// The network with shortest-path routes; among ways of equal length the one over the links given first. Links side by
/// side, from one node to the same other, become one link with the lanes of all: a message is spread over them.
/// Throws `Error(invalid_argument)` where a rank cannot reach another, an end is no node, a cost is negative or not a
/// number, links side by side differ in ts, tw or th, or nodes × ranks exceeds 2^24 (the routing table's size).
TopologyPtr graph_topology(GraphDescription graph);

/// Throws `Error(invalid_argument)` where the routing table of such a graph would be too large: to be asked before the
/// links are made, which take more memory.
void check_table(const std::string& name, std::int64_t ranks, std::int64_t nodes);

/// Traffic in a network's file, word for word: "routing" and "ecmp:7". Readers that simulate interpret it.
using TrafficWords = std::vector<std::pair<std::string, std::string>>;

/// A network from JSON:
///
///     {"ranks": 3, "switches": 1,
///      "links": [{"from": 0, "to": 3}, {"from": 1, "to": 3, "lanes": 2}, {"from": 2, "to": 3, "tw": 1e-9, "directed":
///      true}, …]}
///
/// A link is a cable (both ways) unless "directed" is true; "ts", "th" (seconds) and "tw" (seconds a byte) replace the
/// machine's. "forwarding" is "hardware", which it is without it, or "ranks". "routing", "background", "injection" and
/// "eager", each a text or a number, go to `traffic`. Throws `Error(invalid_argument)` with the place of what is wrong.
TopologyPtr topology_from_json(std::string_view text, std::string name, TrafficWords* traffic = nullptr);

/// Any network as such JSON, a link a line: what is read back has the same nodes, links and costs, shortest routes, and
/// that traffic. Throws `Error(invalid_argument)` where it would be too large to be read.
std::string json_of_topology(const Topology& topology, const TrafficWords& traffic = {});

/// Generations of PCIe whose speeds are known.
inline constexpr int oldest_pcie = 3;
inline constexpr int newest_pcie = 6;

/// A network from the matrix that `nvidia-smi topo -m` prints, also as logs paste it (nvidia_smi_matrix.hpp): a rank
/// for every GPU. Lanes are NVLinks of 25 GB/s each way, which is the usual tw, or those of the GPU that the text
/// names; PCIe and the connection of the sockets have parts of one, or more than one (nvidia_smi.cpp). NV# is # NVLinks
/// between two GPUs; where a GPU would then have more than it can have, each GPU has # to a switch. Pairs without
/// NVLink hang on a tree of switches: PIX, PXB, PHB, NODE and SYS say at which level they meet. `pcie` is PCIe's
/// generation; without it the GPU that the text names says it, or it is 5, and `assumption` is a line that says so
/// where the host is used.
TopologyPtr topology_from_nvidia_smi(std::string_view text, std::string name, std::optional<int> pcie = {},
                                     std::string* assumption = nullptr);

/// The cores of a machine from what `lstopo FILE.xml` writes (hwloc's XML, versions 1 and 2): a rank for each core, in
/// hwloc's order, and a switch for each cache, die, NUMA domain, package or machine that joins several of what is below
/// it. The file does not say how fast that is: a core has a lane to what it shares with others, that has a lane for
/// every 2 of its cores, and a package one for every 8, at least one. Throws `Error(invalid_argument)` where there is
/// no core in it, or it is no XML.
TopologyPtr topology_from_hwloc(std::string_view text, std::string name);
/// Makes the network of so many packages, each with so many domains of a shared cache, each with so many cores.
TopologyPtr numa_topology(int packages, int domains, int cores);

// Machines of GPUs. The lanes are NVLink lanes; one lane's tw is the machine's.

/// Four GPUs, each pair joined by `lanes` NVLinks.
TopologyPtr nvlink_quad(int lanes = 2);
/// The eight GPUs of a DGX-1 with V100s: the hybrid cube mesh, six NVLinks a GPU, some pairs doubled.
/// Source: NVIDIA, DGX-1 With Tesla V100 System Architecture, 2017, figure 4.
TopologyPtr dgx1v();
/// `gpus` GPUs on NVSwitch: every GPU with six lanes to a crossbar.
TopologyPtr nvswitch(int gpus = 8);
/// `nodes` such machines, joined by one NIC a GPU through a switch of the network; a NIC is `nic_slowdown` times slower
/// than its GPU's six lanes, and a machine's NICs count as one cable.
TopologyPtr nvswitch_nodes(int nodes, int gpus, double nic_slowdown = 12);

}  // namespace tutti
