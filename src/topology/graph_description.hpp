/// @file
/// A graph of ranks, switches and links, given link by link.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/topology.hpp"

namespace tutti {

/// A graph given link by link.
struct GraphDescription {
  std::string name;
  int ranks = 0;
  int switches = 0;         ///< numbered from `ranks` on
  std::vector<Link> links;  ///< directed
  std::optional<double> usual_tw = {};
  Forwarding forwarding = Forwarding::hardware;
};

/// Adds a cable: a link each way.
void add_cable(GraphDescription& graph, int a, int b, const LinkCost& cost = {});

/// Any network link by link: those that messages can take, in order of their ends, one from a node to another.
GraphDescription graph_of(const Topology& topology);

}  // namespace tutti
