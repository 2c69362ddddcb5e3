/// @file
/// Report of networks: their numbers, the lower bounds of collectives on them, and their pictures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/reports/descriptions.hpp"
#include "simulate/simulation.hpp"
#include "topology/graph.hpp"
#include "topology/machine.hpp"
#include "topology/metrics.hpp"

namespace tutti::app {

/// A network, its numbers, and the machine with its usual time a byte where none is asked for.
struct DescribedNetwork {
  TopologyPtr topology;
  Metrics metrics;
  Machine machine;
  SimulationOptions traffic;
  std::vector<std::string> notes;
};

/// Returns the lines about one network, and the lower bounds for `bytes`.
std::string text_of(const DescribedNetwork& network, std::int64_t bytes);

Json json_of(const DescribedNetwork& network, std::int64_t bytes);

/// Returns a table with a row for each network.
std::string comparison(const std::vector<DescribedNetwork>& networks, std::int64_t bytes);

/// Returns the picture of the network, below its lines, as SVG.
std::string drawing_of(const DescribedNetwork& network);

}  // namespace tutti::app
