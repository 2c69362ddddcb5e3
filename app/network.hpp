/// @file
/// The options that say on what network and machine a schedule is priced or simulated.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/options.hpp"
#include "topology/families.hpp"
#include "topology/graph.hpp"
#include "topology/machine.hpp"

namespace tutti::app {

/// A network by its words, and the grid that they name ("mesh:4x4": 4 x 4; empty for what is no grid).
struct Network {
  TopologyPtr topology;
  Shape grid;
  TrafficWords traffic = {};  ///< what its file says of it, which add_traffic() takes
};

/// The network that a --topology means: a family such as "mesh:4x4", or a file: FILE.json, or the output of
/// `nvidia-smi topo -m` as FILE.txt, or that of lstopo as FILE.xml. Throws `Error` for an unknown family, a file that
/// cannot be read, or no network in it.
Network parse_network(const std::string& text);

/// Reads a file whole. Throws `Error(invalid_argument)` naming it where that fails, or where it is over 256 MiB.
std::string read_file(const std::string& name);

/// Adds --switching, --ts and --tw to the request's values, into `machine`. What is returned becomes true when --tw is
/// read.
std::shared_ptr<bool> add_message_costs(Command& command, Request& request, Machine& machine);

/// Adds --switching, --ts, --tw, --th, --tc, --packet and --ports to the request's values, into `machine`, and what
/// links of nodes cost (add_node_links()). Without --tw the network's usual one holds, where it has one.
void add_machine(Command& command, Request& request, Machine& machine);

/// Refuses --th and --packet where the machine's switching has no use for them.
void check_switching(const Machine& machine);

/// The request's network; where it names none that of its nodes, or full:P for the number of ranks that it names.
/// Throws `Error` where it names neither, or a range of ranks.
TopologyPtr network_of(const Request& request);

/// A node as tables have it: a rank's number, and "S3" for a switch.
std::string node_in_words(const Topology& topology, int node);

}  // namespace tutti::app
