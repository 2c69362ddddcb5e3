/// @file
/// Operands of algorithms that fold the inputs of several ranks in one step.
#pragma once

#include <vector>

#include "schedule/record/script.hpp"

namespace tutti::algorithms {

/// The operands of the ranks [first, end) in rank order, for Script::fold: `own` for this rank, a message from each
/// other.
std::vector<Operand> operands_in_rank_order(const Script& me, int first, int end, const Slice& own);

/// Returns a place in which this rank's `own` operand is safe while ranks from 0 on are folded into `into`: its own,
/// unless it lies in place and is not among the first two; then it is copied to scratch, in a step of its own.
Slice set_aside(Script& me, const Slice& own, const Slice& into);

}  // namespace tutti::algorithms
