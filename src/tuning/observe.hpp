/// @file
/// Observations of `tutti tune`: calls of many kinds, as many as there is time for; as JSON between ranks and command.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "predict/profile/calibration.hpp"
#include "tutti/communicator.hpp"

namespace tutti {

/// Called before each trial, with how many were made and how many there are in all. An empty one is never called.
using TrialProgress = std::function<void(std::size_t made, std::size_t trials)>;

/// Observations, and how complete they are.
struct Observed {
  std::vector<Observation> observations;  ///< in which this rank took part
  std::size_t made = 0;                   ///< trials, by any ranks
  std::size_t trials = 0;                 ///< trials that would be made with time enough
  double seconds = 0;                     ///< seconds that the observations took
};

/// Returns the numbers of ranks that are measured together if there are up to so many: two, as many as there are cores,
/// and all, of which the cost of a turn shows if they outnumber the cores.
std::vector<int> sizes_observed(int ranks);

/// Returns how many trials there are of so many ranks.
std::size_t trials_over(int ranks);

/// Measures broadcast, reduce, all-reduce, all-gather and all-to-all by each algorithm, from 8 B to 8 MiB, over the
/// first ranks of the communicator, as many as each of the sizes says. What is left of the time is divided evenly among
/// the trials that are left; where nothing is left, no trial begins. A collective at a size has all its algorithms on
/// the same buffers, one after the other; which comes next is mixed, the same every time, so that those which are
/// measured stand for all. A collective call of all ranks; rank 0 takes part in all.
Observed observe(Communicator& comm, const std::vector<int>& sizes, double most_seconds,
                 const TrialProgress& progress = {});

/// Returns a JSON array, an object a measurement.
std::string json_of(const std::vector<Observation>& observations);

/// Reads that. Throws `Error(invalid_argument)`, one line that begins with `name`, where the text is none.
std::vector<Observation> observations_in(std::string_view text, const std::string& name);

}  // namespace tutti
