/// @file
/// The proof of an algorithm of one's own before it is run.
#pragma once

#include "algorithms/own.hpp"

namespace tutti::lab {

/// An admission that proves the algorithm for each problem that it has not seen of late, once for all threads. It
/// throws `Error(invalid_argument)` with rank, step and reason where the proof fails, and `Error(unsupported)` where
/// the schedule has more operations than are recorded for a proof by the way.
algorithms::Admission prove_once();

}  // namespace tutti::lab
