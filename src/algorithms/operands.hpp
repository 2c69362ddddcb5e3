/// @file
/// What algorithms share that fold the inputs of several ranks in one step.
#pragma once

#include <vector>

#include "schedule/script.hpp"

namespace tutti::algorithms {

/// The operands of the ranks [first, end) in rank order, for Script::fold: `own` for this rank, a message from each
/// other.
std::vector<Operand> operands_in_rank_order(const Script& me, int first, int end, const Slice& own);

/// Where this rank's `own` operand is safe while ranks from 0 on are folded into `into`: where it is, unless it lies in
/// place and is not among the first two; then it is copied to scratch, in a step of its own.
Slice set_aside(Script& me, const Slice& own, const Slice& into);

}  // namespace tutti::algorithms
