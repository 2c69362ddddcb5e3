/// @file
/// What `tutti tune` measures: calls of many kinds, as many as a budget allows.
#pragma once

#include <cstddef>
#include <vector>

#include "predict/fit.hpp"
#include "tutti/communicator.hpp"

namespace tutti::app {

struct Observed {
  std::vector<Observation> observations;  ///< in which this rank took part
  std::size_t made = 0;                   ///< trials, by any ranks
  std::size_t trials = 0;                 ///< that would be made with time enough
  double seconds = 0;                     ///< that the observations took
};

/// Measures broadcast, reduce, all-reduce, all-gather and all-to-all by each algorithm, from 8 B to 8 MiB, over two
/// ranks, as many as there are cores, and all. What is left of the budget is divided evenly among the trials that are
/// left; where nothing is left, no trial begins. A collective at a size has all its algorithms on the same buffers, one
/// after the other; which comes next is mixed, the same every time, so that those which are measured stand for all. A
/// collective call of all ranks; rank 0 takes part in all.
Observed observe(Communicator& comm, double budget_seconds);

}  // namespace tutti::app
