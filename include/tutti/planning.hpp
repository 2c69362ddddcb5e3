/// @file
/// Effort of choosing an algorithm.
#pragma once

#include <cstdint>

namespace tutti {

/// Way in which an algorithm is found if nobody names one.
enum class Planning : std::uint8_t {
  inherited,  ///< for a call: the way of its communicator; for a communicator: TUTTI_PLAN, or else `estimate`
  estimate,   ///< by the cost model alone
  measure,    ///< the first calls of a shape are made by the few best algorithms in turn, and the fastest is kept,
              ///< if it is faster than what the model chose by a tenth
  patient,    ///< measures more algorithms, more of their parameters, and more calls
};

}  // namespace tutti
