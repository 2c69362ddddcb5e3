/// @file
/// Algorithms for gather: one block from each rank to the root. Duals of scatter.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm gather_linear;
extern const Algorithm gather_binomial;
extern const Algorithm gather_k_nomial;
extern const Algorithm gather_mesh;
extern const Algorithm gather_leaders;

}  // namespace tutti::algorithms
