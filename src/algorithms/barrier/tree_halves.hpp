/// @file
/// The two halves of the barrier along a binomial tree, for barriers that do something in between.
#pragma once

#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

/// Rank 0 ends when all ranks have begun; the others do not wait for it.
extern const Algorithm barrier_arrival;
/// The others end when rank 0 has begun.
extern const Algorithm barrier_release;

}  // namespace tutti::algorithms
