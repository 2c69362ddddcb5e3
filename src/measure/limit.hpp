/// @file
/// The least time that this machine could take for a collective: what its memory and its caches allow.
///
/// For cell and machine, n = min(ranks, cores) threads read the inputs once and write the outputs once (`traffic_of`),
/// each thread 1/n of every array, in memory as fresh as in the loop (loop.hpp): the sets rotate, and what a thread
/// reads another thread has written. Where more is read than written the inputs are summed, where more is written each
/// input is copied to several outputs. The C++ library's copies, the compiler's loops and streaming stores are tried;
/// the smallest median is taken.
///
/// No collective ends before one rank has heard of another: the limit is at least the time in which a cache line goes
/// from one core to another, and for a barrier and small messages it is that time.
#pragma once

#include "measure/cell.hpp"
#include "measure/pace.hpp"

namespace tutti::measure {

/// Seconds; 0 where one rank is alone and nothing must be moved. Takes about `effort.seconds`.
double limit_seconds(const Cell& cell, const Effort& effort);

/// The time in which a cache line goes from one core to another; 0 on a machine of one core.
double line_seconds();

}  // namespace tutti::measure
