/// @file
/// What a schedule costs, by playing it.
#pragma once

#include <cstdint>
#include <span>

#include "predict/cost_model.hpp"
#include "predict/level_costs.hpp"
#include "predict/sums.hpp"
#include "schedule/choice.hpp"

namespace tutti {

/// What a call takes in a row of calls alike, or by itself, in seconds. The schedule is played in virtual time: every
/// rank does its part by a clock of its own, messages cost what `costs` says, a receive waits for its message, a
/// message waits until the one before it between the same ranks was taken, and one that is read in place keeps its
/// sender until it is read. Where ranks outnumber `cores`, all of their work shares the cores, and so do the turns of
/// ranks that wait for one another: for a message, or for it to be read. What crosses the link of a node takes that
/// link its time, whoever sends it. Where short messages go one way only, ranks of a row run ahead of one another, and
/// the busiest one counts.
double played_seconds(const LevelCosts& costs, int cores, const Schedule& schedule, std::int64_t element_size,
                      Calls calls = Calls::in_a_row);

/// The same of the schedule that the choice records; infinite where `limit` is_cheaper() than it, which is found from
/// as few ranks' programs, and as little of the play, as show it.
double played_seconds(const LevelCosts& costs, int cores, const Choice& choice, const Problem& problem,
                      std::int64_t element_size, Calls calls = Calls::in_a_row, double limit = no_limit);

/// What one call takes to which rank r comes `starts[r]` seconds after time 0: from then until the last rank is done.
double played_seconds(const LevelCosts& costs, int cores, const Choice& choice, const Problem& problem,
                      std::int64_t element_size, std::span<const double> starts);

}  // namespace tutti
