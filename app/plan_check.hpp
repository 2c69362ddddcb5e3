/// @file
/// Whether what is chosen keeps the performance guidelines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "schedule/problem.hpp"

namespace tutti::app {

/// What is held against the guidelines.
struct Checked {
  std::function<double(const Problem&)> seconds;  ///< of one call by itself; no number where it is not known
  /// The same if no message were short; empty where that is not known.
  std::function<double(const Problem&)> seconds_if_long = {};
  double noise = 0;   ///< by which part times may differ for no reason
  std::string what;   ///< "what is predicted of one call"
  std::string costs;  ///< of what machine, in words
  std::int64_t element_size = 1;
};

/// Holds the calls against all guidelines whose calls are known, for every number of ranks and of elements. Status 1
/// where one is broken.
Outcome check_guidelines(const Checked& checked, const std::vector<int>& ranks, const std::vector<std::int64_t>& counts,
                         bool json);

}  // namespace tutti::app
