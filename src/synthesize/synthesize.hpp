/// @file
/// Synthesis: makes a schedule for a network from its links, without an algorithm of the catalogue.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "synthesize/request.hpp"
#include "synthesize/schedule.hpp"

namespace tutti::synthesize {

/// The collectives that schedules are made for.
std::span<const Collective> collectives();

/// Trees for a collective on a network, and what they are worth. Times are of long messages: seconds for each byte that
/// there is to tell (an all-gather's block, the message of a broadcast or an all-reduce), without start-up times.
struct Synthesis {
  Trees trees;
  double optimum = 0;    ///< lower bound of the seconds (for an all-reduce: of one that first reduces and then gathers)
  double achieved = 0;   ///< by the trees: more than that only where shares of links had to be rounded
  double one_chunk = 0;  ///< in a single chunk: links wait while edges of other depths are used
};

/// Finds the trees. The links' capacities are those of the machine's tw; every rank uses all of its links at once, as
/// far as its limit allows (topology/injected.hpp).
/// Throws `Error(unsupported)` for another collective or a switch that cannot be shared out, and
/// `Error(invalid_argument)` for a network of too many nodes.
Synthesis synthesize(const SynthesisRequest& wish, const Topology& topology, const Machine& machine);

/// Low trees, for messages so short that their starts take the most time, in one chunk: every rank that has something
/// to tell tells it all others itself; a single root also by way of others (shared_trees()). The optimum is not looked
/// for. Those of more edges than visit_low_forests() makes are left out.
std::vector<Synthesis> with_low_trees(const SynthesisRequest& wish, const Topology& topology, const Machine& machine);

/// The number of chunks with which `bytes` of that take the least time by the schedule's formula, where every message
/// costs the machine's ts: around sqrt((time in one chunk - time) / ts), with 2 ts where the schedule goes up and down.
/// No chunk of a part is then less than an element of one byte, and the schedule has 131,072 messages and 2^20 slices
/// at most.
std::int64_t best_chunks(const Synthesis& synthesis, const Problem& problem, std::int64_t bytes,
                         const Machine& machine);

}  // namespace tutti::synthesize
