/// @file
/// Algorithms for reduce-scatter: block r of the combined inputs to rank r. Duals of all-gather.
#pragma once

#include "algorithms/table.hpp"
#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

/// The step of `reduce_scatter_direct`, for any collective whose input has p blocks, or p parts of a message: sends
/// each other rank its block and folds the own block of all inputs, in rank order, into `into`. In place, where the own
/// block of the input is `into` itself, the own block is set aside first where that is needed.
void combine_own_part(Script& me, const Slice& into);

}  // namespace tutti::algorithms
