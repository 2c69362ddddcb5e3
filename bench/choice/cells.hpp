/// @file
/// Value of one choice: all algorithms of a cell measured in one run, beside the prediction and the choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/pace.hpp"
#include "tutti/communicator.hpp"

namespace tutti::bench {

/// One schedule of a cell. Seconds.
struct Candidate {
  std::vector<std::string> names;  ///< names of the algorithms that come to it: with two ranks most are alike
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
  std::string chosen;    ///< the algorithm that a program gets which names none
  double estimated = 0;  ///< seconds of the choice by estimate, measured beside the candidates, of which it is one
  double kept = 0;       ///< seconds of a program by Planning::measure, once that has chosen
};

/// Measures the collective at each size in rounds, all on the same buffers. Every schedule has its turn in the first
/// few; those that come near the fastest there, and both ways to choose, have it in more. The figure of each is the
/// median of its rounds, each beside the mean of all in that round: a machine may be twice as fast in one round as in
/// another. A collective call; the result is rank 0's, and has no transport yet.
std::vector<ChoiceCell> measure_cells(Communicator& comm, Collective collective, const std::vector<std::int64_t>& sizes,
                                      const measure::Effort& effort);

}  // namespace tutti::bench
