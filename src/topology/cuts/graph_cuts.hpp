/// @file
/// Narrow cuts of any graph, by maximal flows.
#pragma once

#include <optional>
#include <vector>

#include "topology/cuts/cut.hpp"
#include "topology/graph_description.hpp"

namespace tutti {

constexpr int most_ranks_for_halves = 16;

/// The least capacity over which floor(p/2) ranks can be cut off from the others, in lanes, found by branch and bound:
/// ranks join one side or the other, and a flow that is too great already ends the branch. Nothing for more than 16
/// ranks, and where 2^16 flows are not enough to know.
std::optional<double> narrowest_halving(const GraphDescription& graph);

/// With up to 8 ranks the narrowest cut for each set of ranks; with up to 16 the narrowest into halves. With more:
/// single ranks, the ranks at a switch, and ranges [i k, (i + 1) k) where k divides p. Always in both directions. In
/// graphs of more than 2^24 links times ranks switches go with the ranks at them, which need not be the narrowest cut.
std::vector<Cut> cuts_of(const GraphDescription& graph, int anchor);

}  // namespace tutti
