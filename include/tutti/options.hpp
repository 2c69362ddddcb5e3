/// @file
/// Options of a call, beside its data.
#pragma once

#include <string_view>
#include <vector>

#include "tutti/planning.hpp"

namespace tutti {

/// Options of a collective. All ranks must choose alike. Options are the last argument of every collective, whatever of
/// the arguments before them is left at its default:
///
///     comm.broadcast(data, {.algorithm = "binomial"});
///     comm.broadcast(data, 3, {.algorithm = "chain", .segments = 8});
struct CollectiveOptions {
  /// The algorithm's name or alias (`tutti list`); empty: the environment's TUTTI_ALGORITHM_<COLLECTIVE> (for instance
  /// TUTTI_ALGORITHM_ALL_REDUCE=ring), or else the one with the lowest price.
  std::string_view algorithm = {};
  // The next three are refused if the algorithm that is named here never looks at them; if none is named, if no
  // algorithm for the collective does.
  int segments = 0;            ///< for pipelined algorithms: pieces of the message; 0: the algorithm's own choice
  int radix = 0;               ///< for k-nomial trees and their like: k, at least 2; 0: the algorithm's own choice
  std::vector<int> grid = {};  ///< for mesh algorithms: {rows, columns}; empty: the most nearly square grid
  /// Planning finds the algorithm if neither this call nor the environment nor a rule names it. While `measure` and
  /// `patient` try algorithms, a reduction that rounds may differ from call to call in its last bits, as the order of
  /// combination does; TUTTI_PLAN alone leaves such reductions to the estimate. Calls whose counts differ by rank are
  /// always estimated.
  Planning planning = Planning::inherited;
};

}  // namespace tutti
