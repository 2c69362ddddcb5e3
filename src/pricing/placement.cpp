#include "pricing/placement.hpp"

#include <vector>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "topology/embedding.hpp"

namespace tutti {
namespace {

// "gray": the grid, or a ring, in a hypercube; "line": a line through the grid; otherwise each rank's place, "0,2,1,3".
std::vector<int> parse_embedding(const std::string& text, const Topology& topology, const std::optional<Shape>& grid) {
  const int p = topology.ranks();
  if (text == "gray") {
    require(is_power_of_two(p), "Gray codes number a power of two of ranks, not {}", p);
    return grid ? mesh_in_hypercube(*grid) : ring_in_hypercube(ceil_log2(p));
  }
  if (text == "line") {
    require(grid.has_value(), "a line goes through a grid, such as --topology mesh:4x4");
    return line_in_grid(*grid);
  }
  std::vector<int> places;
  for (const std::string_view place : split(text, ','))
    places.push_back(
        static_cast<int>(parse_integer(place, "a place ('gray', 'line' or a list such as 0,2,1,3)", 0, p - 1)));
  return places;
}

}  // namespace

TopologyPtr placed(const std::string& words, const TopologyPtr& topology, const std::optional<Shape>& grid) {
  return embedded(topology, parse_embedding(words, *topology, grid));
}

}  // namespace tutti
