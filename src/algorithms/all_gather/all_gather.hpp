/// @file
/// All-gather: grids that its algorithms and their duals share.
#pragma once

#include "algorithms/table.hpp"
#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

/// Returns the grid whose rows are the groups of the k-ring.
Shape groups_of_k_ring(const Parameters& parameters, int ranks);

}  // namespace tutti::algorithms
