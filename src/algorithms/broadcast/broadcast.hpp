/// @file
/// Algorithms for broadcast: one rank's message to all.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm broadcast_linear;
extern const Algorithm broadcast_binomial;
extern const Algorithm broadcast_k_nomial;
extern const Algorithm broadcast_ring;
extern const Algorithm broadcast_mesh;
extern const Algorithm broadcast_chain;
extern const Algorithm broadcast_scatter_all_gather;
extern const Algorithm broadcast_scatter_all_gather_doubling;
extern const Algorithm broadcast_scatter_all_gather_mesh;
extern const Algorithm broadcast_scatter_all_gather_mesh_pat;
extern const Algorithm broadcast_n_block;
extern const Algorithm broadcast_two_tree;
extern const Algorithm broadcast_bine;
extern const Algorithm broadcast_disjoint_trees;
extern const Algorithm broadcast_direct;
extern const Algorithm broadcast_leaders;
extern const Algorithm broadcast_multi_leader;

}  // namespace tutti::algorithms
