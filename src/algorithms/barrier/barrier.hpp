/// @file
/// Barrier: no rank leaves before every rank has entered.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm barrier_dissemination;
extern const Algorithm barrier_tree;
extern const Algorithm barrier_flat;
extern const Algorithm barrier_leaders;

}  // namespace tutti::algorithms
