/// @file
/// The options that say on what network and machine a schedule is priced or simulated.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/options/request.hpp"
#include "topology/families/families.hpp"
#include "topology/graph.hpp"
#include "topology/machine.hpp"

namespace tutti::app {

/// Adds --switching, --ts, --tw and --forwarding to the request's values, into `machine`. What is returned becomes true
/// when --tw is read.
std::shared_ptr<bool> add_message_costs(Command& command, Request& request, Machine& machine);

/// Adds --switching, --ts, --tw, --th, --tc, --tr, --packet and --ports to the request's values, into `machine`, and what
/// links of nodes cost (add_node_links()). Without --tw the network's usual one holds, where it has one.
void add_machine(Command& command, Request& request, Machine& machine);

/// Refuses --th and --packet where the machine's switching has no use for them.
void check_switching(const Machine& machine);

/// The request's network; where it names none that of its nodes, or full:P for the number of ranks that it names.
/// Throws `Error` where it names neither, or a range of ranks.
TopologyPtr network_of(const Request& request);

}  // namespace tutti::app
