/// @file
/// What `tutti tune` measures: calls of many kinds, as many as there is time for.
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

/// How many ranks are measured together where there are up to so many: two, as many as there are cores, and all, of
/// which the cost of a turn shows where they outnumber the cores.
std::vector<int> sizes_observed(int ranks);

/// How many trials there are of so many ranks.
std::size_t trials_over(int ranks);

/// Measures broadcast, reduce, all-reduce, all-gather and all-to-all by each algorithm, from 8 B to 8 MiB, over the
/// first ranks of the communicator, as many as each of the sizes says. What is left of the time is divided evenly among
/// the trials that are left; where nothing is left, no trial begins. A collective at a size has all its algorithms on
/// the same buffers, one after the other; which comes next is mixed, the same every time, so that those which are
/// measured stand for all. A collective call of all ranks; rank 0 takes part in all.
Observed observe(Communicator& comm, const std::vector<int>& sizes, double most_seconds);

}  // namespace tutti::app
