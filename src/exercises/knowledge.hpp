/// @file
/// Knowledge of ranks after a program: whose data has come to whom, and how often a sum has counted it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exercises/exercise.hpp"
#include "schedule/model/schedule.hpp"
#include "verify/failure.hpp"

namespace tutti::exercises {

/// By rank and origin: how often the rank's sum has the origin's part: 0, 1, or 2 for more.
using Knowledge = std::vector<std::vector<std::uint8_t>>;

/// Runs the schedule under rendezvous. Each rank begins with its own part; a message carries the sum that its sender had
/// when the message's step began, and at the end of a step the receiver adds what has come to its own. Returns why the
/// schedule cannot be run to its end, if so; then `knowledge` says nothing.
std::optional<ProofFailure> run_knowledge(const Schedule& schedule, Knowledge& knowledge);

/// Returns a sentence on the first rank that misses the goal; empty where all reach it.
std::string missed_goal(const ProgramGoal& goal, const Knowledge& knowledge);

/// "every rank has what rank 0 had"
std::string goal_in_words(const ProgramGoal& goal);

}  // namespace tutti::exercises
