/// @file
/// A simulation as a timeline.
#pragma once

#include <string>

#include "simulate/simulate.hpp"
#include "timeline/timeline.hpp"

namespace tutti {

/// Returns what every rank did when: its messages, its combinations, and its waits, for whom and why. The timeline ends
/// when the simulation does, and so does its critical path, which has no gap.
///
/// A rank waits while neither of its ports is at work: for the peer that its next message needs, for the receiver's
/// chain that has yet to come to a message, or, in rounds, for the end of the round.
/// Needs a result of simulate() with `options.timeline`; `call` is what the ranks are in. Cost: O(m log m) for m
/// messages.
timeline::Timeline timeline_of(const Simulation& simulation, const SimulationOptions& options, std::string call);

}  // namespace tutti
