/// @file
/// Schedules for what goes from one rank to one other: all-to-all, scatter and gather.
///
/// A block is cut into shares, each with a way of its own over other ranks, so that no link is fuller than it must be.
/// With few ranks a linear program finds them, the multi-commodity flow: of everything that a rank has for all others
/// the flows over all links, with the fullest link as empty as can be. A share in chunks then follows its way, a rank a
/// round:
///
///     round          1         2         3        a share from 0 over 3 to 5, in 3 chunks
///     chunk a      0 -> 3    3 -> 5
///     chunk b                0 -> 3    3 -> 5
///
/// With many ranks each share takes the cheapest way where links that others have filled cost more, and messages are
/// coloured: those of a colour, which is a round, need no more of a link than the largest of them takes.
///
/// Sources: L. R. Ford, D. R. Fulkerson, A Suggested Computation for Maximal Multi-Commodity Network Flows, 1958; S. H.
/// Bokhari, Multiphase Complete Exchange on a Circuit Switched Hypercube, 1991 (rounds without shared links).
#pragma once

#include <cstdint>
#include <span>

#include "schedule/model/schedule.hpp"
#include "synthesize/pairs/pair_synthesis.hpp"
#include "synthesize/request.hpp"
#include "topology/machine.hpp"
#include "topology/topology.hpp"

namespace tutti::synthesize {

/// The collectives for which these schedules are made.
std::span<const Collective> pair_collectives();

/// Most ranks for which these are made.
inline constexpr int most_ranks_of_pairs = 256;

/// Finds the shares: by linear programs for up to 16 ranks, for a scatter and a gather up to 64; by colours beyond.
/// No share's message passes a rank that it does not stop at, where ranks forward (topology/topology.hpp).
/// Throws `Error(unsupported)` for another collective and for too many ranks.
PairSynthesis synthesize_pairs(const SynthesisRequest& wish, const Topology& topology, const Machine& machine);

/// Every block whole by the network's own route, all at once: for short blocks. The optimum is not looked for.
PairSynthesis direct_pairs(const SynthesisRequest& wish, const Topology& topology, const Machine& machine);

/// The schedule of `problem` over the shares, with `chunks` chunks of each, which is 1 where they are coloured.
/// Needs     an all-to-all, scatter or gather of blocks of one size, out of place, whose shares these are.
/// Buffers   what a rank passes on lies in its scratch.
Schedule schedule_over(const PairSynthesis& made, const Problem& problem, std::int64_t chunks);

/// The number of chunks with which blocks of `bytes` take the least time; 1 where shares are not cut.
std::int64_t best_chunks(const PairSynthesis& made, std::int64_t bytes, const Machine& machine);

}  // namespace tutti::synthesize
