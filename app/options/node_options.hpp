/// @file
/// Options that say which ranks share a node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/options/request.hpp"

namespace tutti::app {

/// "3+5+1": how many ranks each node has; "16x8": eight on each of sixteen; "2x4+1": 4+4+1. Throws `Error` for anything
/// else.
std::vector<int> parse_nodes(std::string_view text);

/// Adds --nodes; `use` says what the command does with it.
void add_nodes(Command& command, Request& request, const std::string& use);

/// Adds what links inside nodes and between them cost: --ts-inside, --tw-inside, --ts-outside and --tw-outside. What is
/// not given is the machine's.
void add_node_links(Command& command, Request& request);

/// Returns the layout of the request's ranks; Layout{} if it has none.
Layout layout_of(const Request& request);

/// The network of the request's nodes, "nodes:3+5+1", where it names nodes and no network; null otherwise. Throws
/// `Error` where costs of its links are given and there is no such network.
TopologyPtr network_of_nodes(const Request& request);

}  // namespace tutti::app
