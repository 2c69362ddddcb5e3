/// @file
/// Simulated times of messages, phases and links as JSON.
#pragma once

#include <string>

#include "app/reports/descriptions.hpp"
#include "schedule/model/choice.hpp"
#include "simulate/simulate.hpp"

namespace tutti::app {

/// Returns a message of a simulation as JSON: its ends, when both ranks have come to it, and when it begins and ends.
Json json_of_message(const TimelineMessage& message);

/// Returns all that a simulation with a timeline has found, as the text of an object; a wait is of the rank that came
/// first.
std::string timeline_json(const Simulation& simulation, const Topology& topology, const Problem& problem,
                          const Choice& choice);

}  // namespace tutti::app
