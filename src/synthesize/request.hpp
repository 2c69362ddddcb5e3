/// @file
/// Request for a schedule that is made for a network.
#pragma once

#include <cstdint>

#include "schedule/model/problem.hpp"

namespace tutti::synthesize {

/// Request for a schedule.
struct SynthesisRequest {
  Collective collective = Collective::all_gather;
  int root = 0;          ///< the root, if the collective has one
  double injection = 0;  ///< seconds a byte for all that a rank sends, and for all that it gets; 0: no limit
  std::int64_t bytes =
      1 << 20;  ///< bytes that each root has to tell; among trees as fast, those that suit so many are taken
  std::int64_t most_trees = 16;  ///< parts into which a rank's data is cut, at most, to share links out
};

}  // namespace tutti::synthesize
