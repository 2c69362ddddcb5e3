/// @file
/// Algorithms for reduce-scatter: block r of the combined inputs to rank r. Duals of all-gather.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm reduce_scatter_linear;
extern const Algorithm reduce_scatter_ring;
extern const Algorithm reduce_scatter_k_ring;
extern const Algorithm reduce_scatter_recursive_halving;
extern const Algorithm reduce_scatter_bruck;
extern const Algorithm reduce_scatter_circulant;
extern const Algorithm reduce_scatter_n_block;
extern const Algorithm reduce_scatter_swing;
extern const Algorithm reduce_scatter_bine;
extern const Algorithm reduce_scatter_pat;
extern const Algorithm reduce_scatter_neighbour_exchange;
extern const Algorithm reduce_scatter_mesh;
extern const Algorithm reduce_scatter_mesh_multi_port;
extern const Algorithm reduce_scatter_mesh_pat;
extern const Algorithm reduce_scatter_reduce_then_scatter;
extern const Algorithm reduce_scatter_direct;
extern const Algorithm reduce_scatter_leaders;
extern const Algorithm reduce_scatter_multi_leader;

/// The step of `reduce_scatter_direct`, for any collective whose input has p blocks, or p parts of a message: sends
/// each other rank its block and folds the own block of all inputs, in rank order, into `into`. In place, where the own
/// block of the input is `into` itself, the own block is set aside first where that is needed.
void combine_own_part(Script& me, const Slice& into);

}  // namespace tutti::algorithms
