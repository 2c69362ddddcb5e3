/// @file
/// Well-formedness: faults of a schedule that show in one rank, one step at a time.
#pragma once

#include <optional>

#include "schedule/model/schedule.hpp"
#include "verify/failure.hpp"

namespace tutti::proof {

/// Whether every operation can be run by an executor at all: the problem is well formed, peers are other ranks, slices
/// lie within their buffers and are not the caller's input where they are written, lists of one operation have one
/// length, chains lie within a step and hold no sends, and the last step ends.
std::optional<ProofFailure> find_malformed(const Schedule& schedule);

/// Whether no step writes what it also reads or writes. Only an operation itself may read where it writes, element for
/// element, and operations of one chain may touch what the others of the chain touch. Needs a schedule without
/// malformed operations. Cost: O(n log n) for the n slices of a step.
std::optional<ProofFailure> find_conflict(const Schedule& schedule);

/// Whether the rank never has more than one send or more than one receive in flight.
bool is_single_ported(const Program& program);
/// Whether no rank ever has more than one send or more than one receive in flight.
bool is_single_ported(const Schedule& schedule);

}  // namespace tutti::proof
