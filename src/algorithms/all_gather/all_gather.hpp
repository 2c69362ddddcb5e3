/// @file
/// Algorithms for all-gather: every rank's block to all.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm all_gather_linear;
extern const Algorithm all_gather_ring;
extern const Algorithm all_gather_k_ring;
/// Whose rows are the groups of the k-ring.
Shape groups_of_k_ring(const Parameters& parameters, int ranks);
extern const Algorithm all_gather_recursive_doubling;
extern const Algorithm all_gather_bruck;
extern const Algorithm all_gather_k_bruck;
extern const Algorithm all_gather_circulant;
extern const Algorithm all_gather_n_block;
extern const Algorithm all_gather_swing;
extern const Algorithm all_gather_bine;
extern const Algorithm all_gather_pat;
extern const Algorithm all_gather_ring_bidirectional;
extern const Algorithm all_gather_neighbour_exchange;
extern const Algorithm all_gather_mesh;
extern const Algorithm all_gather_mesh_multi_port;
extern const Algorithm all_gather_mesh_pat;
extern const Algorithm all_gather_gather_broadcast;
extern const Algorithm all_gather_leaders;
extern const Algorithm all_gather_multi_leader;

}  // namespace tutti::algorithms
