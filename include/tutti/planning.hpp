/// @file
/// How much a choice of an algorithm may cost.
#pragma once

#include <cstdint>

namespace tutti {

/// How an algorithm is found where nobody names one.
enum class Planning : std::uint8_t {
  inherited,  ///< of a call: as its communicator has it; of a communicator: as TUTTI_PLAN has it, or else `estimate`
  estimate,   ///< by the cost model alone
  measure,    ///< the first calls of a shape are made by the few best algorithms in turn, and the fastest is kept,
              ///< if it is faster than what the model chose by a tenth
  patient,    ///< the same with more algorithms, more of their parameters, and more calls
};

}  // namespace tutti
