/// @file
/// All-to-all: every rank has a block for every rank. Block d of rank o's input ends as block o of rank d's output.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm all_to_all_linear;
extern const Algorithm all_to_all_ring;
extern const Algorithm all_to_all_ring_bidirectional;
extern const Algorithm all_to_all_mesh;
extern const Algorithm all_to_all_mesh_direct;
extern const Algorithm all_to_all_hypercube;
extern const Algorithm all_to_all_pairwise;
extern const Algorithm all_to_all_pairwise_modular;
extern const Algorithm all_to_all_bruck;
extern const Algorithm all_to_all_k_bruck;
extern const Algorithm all_to_all_tree;
extern const Algorithm all_to_all_multi_leader;

}  // namespace tutti::algorithms
