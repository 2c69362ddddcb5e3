/// @file
/// Replay of a schedule in virtual time: predicts what a call costs.
#pragma once

#include <cstdint>
#include <span>

#include "predict/model/cost_model.hpp"
#include "predict/model/machine_costs.hpp"
#include "predict/replay/call_sums.hpp"
#include "schedule/model/choice.hpp"

namespace tutti {

/// Returns the seconds of a call in a row of equal calls, or by itself. The schedule is replayed in virtual time: every
/// rank does its part by a clock of its own, messages cost what `costs` says, a receive waits for its message, a
/// message waits until the one before it between the same ranks was taken, and one that is read in place keeps its
/// sender until it is read. If ranks outnumber `cores`, all of their work shares the cores, and so do the turns of
/// ranks that wait for one another: for a message, or for it to be read. A message between nodes takes the links of
/// both nodes their time, whoever sends it. If short messages go one way only, ranks of a row run ahead of one another,
/// and the busiest one counts.
double replayed_seconds(const LevelCosts& costs, int cores, const Schedule& schedule, std::int64_t element_size,
                        Calls calls = Calls::in_a_row);

/// Returns the seconds of the schedule that the choice records; infinite if `limit` is_cheaper() than that, which is
/// found from as few ranks' programs, and as little of the replay, as show it.
double replayed_seconds(RecordingContext& context, const LevelCosts& costs, int cores, const Choice& choice,
                        const Problem& problem, std::int64_t element_size, Calls calls = Calls::in_a_row,
                        double limit = no_limit);

/// Returns the seconds of one call to which rank r comes `starts[r]` seconds after time 0: from then until the last
/// rank is done.
double replayed_seconds(const LevelCosts& costs, int cores, const Choice& choice, const Problem& problem,
                        std::int64_t element_size, std::span<const double> starts);

}  // namespace tutti
