/// @file
/// Estimate of an algorithm's cost, from its claims and the programs of a few ranks.
#pragma once

#include <cstdint>

#include "predict/model/cost_model.hpp"
#include "predict/model/machine_costs.hpp"
#include "predict/replay/call_sums.hpp"
#include "schedule/model/choice.hpp"

namespace tutti {

/// Returns the claims of the choice; for an algorithm without claims, as programs may bring them, the counts of its
/// schedule.
Claims claims_or_traffic(const Choice& choice, const Problem& problem, const Layout& layout);

/// An estimate of replayed_seconds(), in the time that it takes to record the programs of at most five ranks: the same
/// five, whichever rank asks. Where the costs have levels, the messages of as many as 16 ranks of a node tell what
/// crosses its link. Needs a problem whose blocks are even.
///
/// Goes through the programs of those ranks as if every other rank kept pace (rank_cost.hpp). The claims say how many
/// messages there are in all, and how many rounds the longest chain of them has beside those of the ranks looked at.
///
/// Infinite where `limit` is_cheaper() than it: then no more ranks are recorded than it takes to find so.
double estimated_seconds(RecordingContext& context, const LevelCosts& costs, int cores, const Choice& choice,
                         const Problem& problem, std::int64_t element_size, Calls calls = Calls::in_a_row,
                         double limit = no_limit);

/// Returns no more than estimated_seconds() of a choice that claims so much. O(1).
double least_seconds(const LevelCosts& costs, int cores, const Claims& claims, const Problem& problem,
                     std::int64_t element_size);

}  // namespace tutti
