/// @file
/// Networks by the words of --topology.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/families/families.hpp"
#include "topology/graph.hpp"

namespace tutti::app {

/// A network by its words, and the grid that they name ("mesh:4x4": 4 x 4; empty for what is no grid).
struct Network {
  TopologyPtr topology;
  Shape grid;
  TrafficWords traffic = {};            ///< traffic in its file, which add_traffic() takes
  std::vector<std::string> notes = {};  ///< sentences on what was assumed of its file
};

/// The network that a --topology means: a family such as "mesh:4x4", or a file: FILE.json, or the output of `nvidia-smi
/// topo -m` as FILE.txt, or that of lstopo as FILE.xml. Throws `Error` for an unknown family, a file that cannot be
/// read, or no network in it; and where `pcie`, as --pcie was given, is no generation of PCIe, or is given for a
/// network that does not ask for it.
Network parse_network(const std::string& text, const std::optional<std::string>& pcie = {});

/// Whether the network that a --topology means is one from nvidia-smi, which asks for --pcie.
bool asks_for_pcie(const std::string& text);

}  // namespace tutti::app
