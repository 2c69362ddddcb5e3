/// @file
/// Algorithms for scatter: one rank's blocks, one to each rank.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm scatter_linear;
extern const Algorithm scatter_binomial;
extern const Algorithm scatter_k_nomial;
extern const Algorithm scatter_mesh;
extern const Algorithm scatter_leaders;

}  // namespace tutti::algorithms
