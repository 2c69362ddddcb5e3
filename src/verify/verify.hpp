/// @file
/// Symbolic proof that a schedule does what its problem asks.
#pragma once

#include <optional>

#include "schedule/model/schedule.hpp"
#include "verify/failure.hpp"

namespace tutti {

/// The outcome of a proof.
struct Proof {
  std::optional<ProofFailure> failure;  ///< empty: proved
  bool single_ported = true;            ///< no rank ever has more than one send or more than one receive in flight
  bool by_symmetry = false;  ///< one rank was run for all, and each rank's program is that one's (symmetry.hpp)

  bool proved() const { return !failure; }
};

/// Runs all ranks symbolically; see the file's implementation for the argument why one order of execution proves all.
/// Never throws for a wrong schedule: a failed proof is a value.
Proof verify(const Schedule& schedule);

}  // namespace tutti
