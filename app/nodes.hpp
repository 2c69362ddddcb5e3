/// @file
/// Nodes on the command line, and what they exchange in words and as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/meaning.hpp"
#include "app/options.hpp"
#include "schedule/node_traffic.hpp"

namespace tutti::app {

/// "3+5+1": how many ranks each node has; "16x8": eight on each of sixteen; "2x4+1": 4+4+1. Throws `Error` for anything
/// else.
std::vector<int> parse_nodes(std::string_view text);

/// Adds --nodes; `use` says what the command does with it.
void add_nodes(Command& command, Request& request, const std::string& use);

/// Adds what links inside nodes and between them cost: --ts-inside, --tw-inside, --ts-outside and --tw-outside. What is
/// not given is the machine's.
void add_node_links(Command& command, Request& request);

/// Where the request's ranks are; Layout{} where it does not say.
Layout layout_of(const Request& request);

/// The network of the request's nodes, "nodes:3+5+1", where it names nodes and no network; null otherwise. Throws
/// `Error` where costs of its links are given and there is no such network.
TopologyPtr network_of_nodes(const Request& request);

/// What goes between nodes, a line, then a table of what each node sends and receives. `in_words` says how much the
/// elements of so many messages are: "8 elements", "64KiB".
std::string text_of(const NodeTraffic& traffic, const Layout& layout, int ranks,
                    std::string (*in_words)(std::int64_t elements));

/// [{"ranks": [0, 1, 2], "within": {"messages", UNIT}, "sent": {…}, "received": {…}}, …], by node; UNIT is "elements"
/// or "bytes".
Json json_of(const NodeTraffic& traffic, const Layout& layout, int ranks, const std::string& unit);

}  // namespace tutti::app
