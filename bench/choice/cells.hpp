/// @file
/// What one choice is worth: all algorithms of a cell measured in one run, beside what is predicted and chosen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/pace.hpp"
#include "tutti/communicator.hpp"

namespace tutti::bench {

/// One schedule of a cell. Seconds.
struct Candidate {
  std::vector<std::string> names;  ///< of the algorithms that come to it: with two ranks most are the same
  double predicted = 0;
  double measured = 0;
};

/// One collective at one size on so many ranks.
struct ChoiceCell {
  std::string collective;
  std::string transport;
  int ranks = 0;
  std::int64_t bytes = 0;
  std::vector<Candidate> candidates;
  std::string estimated;  ///< chosen by the model
  std::string measured;   ///< kept by Planning::measure
};

/// Measures the collective at each size in several rounds, in which every schedule has its turn; the figure of each is
/// the median of its rounds, each beside the mean of all schedules in that round: a machine may be twice as fast in one
/// round as in another. A collective call; the result is rank 0's, and has no transport yet.
std::vector<ChoiceCell> measure_cells(Communicator& comm, Collective collective, const std::vector<std::int64_t>& sizes,
                                      const measure::Effort& effort);

}  // namespace tutti::bench
