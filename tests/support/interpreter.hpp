/// @file
/// A second opinion on schedules: runs the ranks on concrete data, in one of many possible orders.
///
/// Nothing is shared with src/verify: elements are single numbers, messages wait in queues, the order is drawn by lot,
/// and the expectation is computed from the collective's definition. Only the orders that are tried are seen.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/model/schedule.hpp"

namespace tutti::testing {

/// Outcome of one run.
struct Observed {
  bool right = true;
  std::string why;  ///< reason if it is not right: one sentence
  /// A fingerprint of all outputs, bracketing of reductions included: differs where the order of execution changes the
  /// bits.
  std::uint64_t bits = 0;
};

/// Runs the schedule under rendezvous sends, in an order that follows from `seed`.
///
/// Wrong are: an operation that cannot be carried out (memory or ranks that do not exist, lists or messages of unequal
/// length, a write to the input, a chain that begins with its step or has a send), ranks that wait for ever, an output
/// that is not what the collective asks for, ranks of an all-reduce whose bits differ, and a rank that leaves a barrier
/// before every rank has entered it.
Observed interpret(const Schedule& schedule, std::uint64_t seed);

}  // namespace tutti::testing
