/// @file
/// The part of a schedule that comes before a mistake.
#pragma once

#include "schedule/model/schedule.hpp"

namespace tutti::gallery {

/// Returns what all ranks do up to their step `step` (from 1), the one that goes wrong, which is included as far as
/// messages go: what is received there is stored instead of combined, and nothing is computed. Messages that need a
/// later step of another rank are left out, and all that follows them.
Schedule beginning_of(const Schedule& schedule, int step);

}  // namespace tutti::gallery
