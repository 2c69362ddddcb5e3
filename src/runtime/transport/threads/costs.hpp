/// @file
/// What messages between threads cost: the constants from which algorithms are chosen.
#pragma once

namespace tutti::runtime {

/// The alpha-beta model of one message.
struct LinkCosts {
  double alpha;  ///< seconds a message, whatever its size
  double beta;   ///< seconds a byte
};

/// Threads of one machine: a few cache lines travel from core to core and back; then memory is read in place.
inline constexpr LinkCosts threads_costs{.alpha = 0.5e-6, .beta = 0.2e-9};

}  // namespace tutti::runtime
