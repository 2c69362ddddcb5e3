/// @file
/// All-reduces whose results travel down trees while contributions to later chunks still travel up.
///
/// A reduce-scatter wholly before an all-gather uses every link twice for p - 1 of p parts: a narrow link to one rank
/// carries (p - 1)/p of the message to it, and as much from it, one after the other. Where every share of the message
/// has a root of its own choice instead, and goes up to it and down again chunk by chunk, such a link carries the whole
/// message once each way, both at once:
///
///     1 ══ 0 ── 2      ── the narrow link     phases   reduce-scatter 2/3 m, then all-gather 2/3 m over it: 4/3 m tw
///                                             here     m tw, and a chunk more
///
/// Sources: P. Patarasu, X. Yuan, Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, 2009 (trees
/// up and down, pipelined); N. Garg, J. Könemann, Faster and Simpler Algorithms for Multicommodity Flow and Other
/// Fractional Packing Problems, 1998 (weights that grow with what links carry).
#pragma once

#include "synthesize/synthesize.hpp"

namespace tutti::synthesize {

/// Most ranks for which pairs of trees are looked for.
inline constexpr int most_ranks_overlapped = 128;

/// Pairs of trees: the k-th tree up and the k-th down have one root and carry one share of the message, their parts of
/// `each`. `achieved` is seconds a byte of the message for the fullest link, with all of both directions at once. The
/// pairs, and their number, are those that take the least time for a message of `bytes`. Needs 2 ranks at least, and at
/// most most_ranks_overlapped.
/// Cost: for each pair two cheapest trees from each of some roots.
Synthesis overlapped_trees(const SynthesisRequest& wish, std::int64_t bytes, const Topology& topology,
                           const Machine& machine);

/// The schedule over such pairs, every share in `chunks` chunks: in a round a rank sends what has come together for it
/// of one chunk upwards, and of an earlier one downwards.
/// Needs     an all-reduce with a commutative operator.
/// Traffic   2 (p - 1) m bytes.
/// Time      at most (chunks + depth up + depth down - 1) rounds, each of one chunk up and one down.
Schedule overlapped_schedule_over(const Trees& trees, const Problem& problem, std::int64_t chunks);

/// The number of chunks for which that takes the least time, as best_chunks() has it.
std::int64_t best_overlapped_chunks(const Synthesis& synthesis, std::int64_t bytes, const Machine& machine);

}  // namespace tutti::synthesize
