/// @file
/// All-reduce: the inputs of all ranks are combined, and every rank ends with the result.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm all_reduce_reduce_broadcast;
extern const Algorithm all_reduce_recursive_doubling;
extern const Algorithm all_reduce_recursive_multiplying;
extern const Algorithm all_reduce_ring;
extern const Algorithm all_reduce_rabenseifner;
extern const Algorithm all_reduce_circulant;
extern const Algorithm all_reduce_two_tree;
extern const Algorithm all_reduce_swing;
extern const Algorithm all_reduce_bine;
extern const Algorithm all_reduce_mesh;
extern const Algorithm all_reduce_mesh_multi_port;
extern const Algorithm all_reduce_mesh_pat;
extern const Algorithm all_reduce_flat;
extern const Algorithm all_reduce_direct;
extern const Algorithm all_reduce_leaders;
extern const Algorithm all_reduce_multi_leader;
extern const Algorithm all_reduce_multi_leader_doubling;

}  // namespace tutti::algorithms
