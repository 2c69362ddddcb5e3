/// @file
/// Places of ranks in a network, by the words of --embedding.
#pragma once

#include <optional>
#include <string>

#include "topology/families/families.hpp"
#include "topology/topology.hpp"

namespace tutti {

/// Returns the network with its ranks where `words` put them: "gray" numbers a grid or a ring by a Gray code in a
/// hypercube, "line" goes through the grid, and a list such as "0,2,1,3" names the place of each rank. Throws `Error`
/// for a place that the network does not have.
TopologyPtr placed(const std::string& words, const TopologyPtr& topology, const std::optional<Shape>& grid);

}  // namespace tutti
