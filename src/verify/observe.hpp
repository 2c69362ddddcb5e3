/// @file
/// A symbolic run for readers who want to see it: what messages carry and what ranks hold, step by step.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "verify/expressions.hpp"
#include "verify/memory.hpp"
#include "verify/report.hpp"
#include "verify/verify.hpp"

namespace tutti::proof {

class Execution;

/// Is told of a run while it goes on. Ranks run in one of the possible orders: what is told of each rank, and of each
/// message, would be the same in every other.
class Observer {
 public:
  virtual ~Observer() = default;

  /// The inputs are filled and nothing has been done.
  virtual void run_begins(const Execution& execution) = 0;
  /// A message passes, with its content; the receiver has yet to take it in.
  virtual void message_passes(Place send, Place receive, std::span<const Piece> content) = 0;
  /// All operations of the rank's step are done; its next step begins with operation `next`.
  virtual void step_ends(int rank, std::size_t next) = 0;
};

/// Runs the schedule symbolically with `observer` watching. Returns why it cannot be run to its end, if so: the first
/// three phases of a proof and the run itself, without a look at the outcome.
std::optional<Failure> observe(const Schedule& schedule, Observer& observer);

/// Proves the schedule, and shows what its run ended with. Returns why it is wrong, if so; then nothing is shown.
std::optional<Failure> examine(const Schedule& schedule, const std::function<void(const Execution& execution)>& see);

}  // namespace tutti::proof
