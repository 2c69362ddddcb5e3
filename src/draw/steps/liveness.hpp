/// @file
/// Liveness: the parts of a rank's memory that are still of use.
#pragma once

#include <vector>

#include "schedule/model/schedule.hpp"

namespace tutti::draw {

/// For one rank, before each of its steps and after the last: the slices that it will read, or that are its result,
/// before anything overwrites them. A block that was passed on and is not part of the rank's own result is of no use to
/// it any more, although it still lies in its memory.
///
/// Slices are disjoint, in order of buffer and position. Cost: O(steps × slices).
std::vector<std::vector<Slice>> live_slices(const Schedule& schedule, int rank);

}  // namespace tutti::draw
