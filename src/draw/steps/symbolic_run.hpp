/// @file
/// A schedule run once symbolically: which message belongs to which step of its drawing, and what ranks hold when.
#pragma once

#include <cstdint>
#include <vector>

#include "draw/steps/content_names.hpp"
#include "draw/steps/frame_limits.hpp"
#include "schedule/model/schedule.hpp"
#include "schedule/record/phases.hpp"
#include "verify/observe.hpp"

namespace tutti::draw {

/// A message in its step.
struct FramedMessage {
  proof::OpPosition send;
  proof::OpPosition receive;
  int step = 0;    ///< step of the drawing, from 0
  int phase = -1;  ///< its number; -1: none
  std::int64_t elements = 0;
  std::vector<SymbolicContent> contents;
};

/// Contents of a rank from the beginning of a step of the drawing on, until it holds something else.
struct HeldState {
  int from_step = 0;
  std::vector<SymbolicContent> contents;
};

struct SymbolicRun {
  int steps = 0;                               ///< steps of the schedule
  std::vector<FramedMessage> messages;         ///< messages that `limits` shows, by step, sender and its operation
  std::vector<std::vector<HeldState>> states;  ///< states of the ranks that `limits` shows
};

/// Runs the schedule to its end; see `frames_of` for how messages come to their steps. No step has messages of two
/// phases. Throws `Error(invalid_argument)`, naming the failure, for a schedule that cannot be run to its end.
SymbolicRun symbolic_run_of(const Schedule& schedule, const Limits& limits, const PhaseOrder& phases);

}  // namespace tutti::draw
