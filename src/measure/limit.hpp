/// @file
/// The least time that this machine could take for a collective: what its memory and its caches allow.
///
/// Bytes. n = min(ranks, cores) threads read the inputs once and write the outputs once (`traffic_of`), each thread 1/n
/// of every array, in memory as fresh as in the loop (loop.hpp): the sets rotate, and of what a thread reads another
/// has written no more than must come from another rank (`part_from_others`), the thread itself the rest. Where more is
/// read than written the inputs are summed, where more is written each input is copied to several outputs. The C++
/// library's copies, the compiler's loops and streaming stores are tried; the shortest batch of all of them is taken,
/// so that what else the machine does raises the limit only if it never pauses.
///
/// Cache lines. Where each rank hears of each other before it ends (`is_mutual`), a call takes at least the time in
/// which a cache line goes from one core to another, also in a row of calls. Elsewhere the lines of many calls are
/// under way together, so that a message which fits into one line has no limit.
#pragma once

#include "measure/buffers.hpp"
#include "measure/cell.hpp"
#include "measure/pace.hpp"

namespace tutti::measure {

/// Seconds; 0: there is none. Takes about `effort.seconds`. The arrays that are moved lie where `allocate` says, and in
/// `plain_memory` by default.
double limit_seconds(const Cell& cell, const Effort& effort, const Allocate& allocate = {});

/// The time in which a cache line goes from one core to another, the least that this process has seen; 0 on a machine
/// of one core, and where two threads have never run at the same time.
double line_seconds();

}  // namespace tutti::measure
