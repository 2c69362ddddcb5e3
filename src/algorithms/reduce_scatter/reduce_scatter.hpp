/// @file
/// Algorithms for reduce-scatter: block r of the combined inputs to rank r. Duals of all-gather.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm reduce_scatter_linear;
extern const Algorithm reduce_scatter_ring;
extern const Algorithm reduce_scatter_recursive_halving;
extern const Algorithm reduce_scatter_bruck;
extern const Algorithm reduce_scatter_neighbour_exchange;
extern const Algorithm reduce_scatter_mesh;
extern const Algorithm reduce_scatter_reduce_then_scatter;

}  // namespace tutti::algorithms
