/// @file
/// A schedule run once symbolically: which message belongs to which step of its drawing, and what ranks hold when.
#pragma once

#include <cstdint>
#include <vector>

#include "draw/contents.hpp"
#include "draw/frames.hpp"
#include "schedule/phases.hpp"
#include "verify/observe.hpp"

namespace tutti::draw {

/// A message in its step.
struct Message {
  proof::Place send;
  proof::Place receive;
  int step = 0;    ///< of the drawing, from 0
  int phase = -1;  ///< its number; -1: none
  std::int64_t elements = 0;
  std::vector<Content> contents;
};

/// What a rank holds from the beginning of a step of the drawing on, until it holds something else.
struct State {
  int from_step = 0;
  std::vector<Content> contents;
};

struct Recording {
  int steps = 0;                           ///< of the schedule
  std::vector<Message> messages;           ///< that `limits` shows, by step, sender and its operation
  std::vector<std::vector<State>> states;  ///< of the ranks that `limits` shows
};

/// Runs the schedule to its end; see `frames_of` for how messages come to their steps. No step has messages of two
/// phases. Throws `Error(invalid_argument)`, naming the failure, for a schedule that cannot be run to its end.
Recording recording_of(const Schedule& schedule, const Limits& limits, const PhaseOrder& phases);

}  // namespace tutti::draw
