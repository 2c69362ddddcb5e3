/// @file
/// What an algorithm costs, from its claims and the programs of a few ranks.
#pragma once

#include <cstdint>

#include "predict/cost_model.hpp"
#include "predict/level_costs.hpp"
#include "predict/sums.hpp"
#include "schedule/choice.hpp"

namespace tutti {

/// The problem with the same number of elements in blocks as even as can be: what is estimated where counts differ.
/// O(1), or O(number of counts).
Problem with_even_blocks(const Problem& problem);

/// What the choice claims; of an algorithm without claims, as programs may bring them, what its schedule has.
Claims claims_or_traffic(const Choice& choice, const Problem& problem, const Layout& layout);

/// An estimate of played_seconds(), in the time that it takes to record the programs of at most five ranks: the same
/// five, whichever rank asks. Where the costs have levels, the messages of as many as 16 ranks of a node tell what
/// crosses its link. Needs a problem whose blocks are even.
///
/// Those ranks' programs are gone through as if every other rank kept pace (portrait.hpp). The claims say how many
/// messages there are in all, and how many rounds the longest chain of them has beside those of the ranks looked at.
///
/// Infinite where `limit` is_cheaper() than it: then no more ranks are recorded than it takes to find so.
double estimated_seconds(const LevelCosts& costs, int cores, const Choice& choice, const Problem& problem,
                         std::int64_t element_size, Calls calls = Calls::in_a_row, double limit = no_limit);

/// Not more than estimated_seconds() of a choice that claims so much. O(1).
double least_seconds(const LevelCosts& costs, int cores, const Claims& claims, const Problem& problem,
                     std::int64_t element_size);

}  // namespace tutti
