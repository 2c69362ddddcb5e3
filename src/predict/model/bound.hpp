/// @file
/// Lower bound of a call: time that no schedule stays below, for given costs of messages.
#pragma once

#include <cstdint>

#include "predict/model/machine_costs.hpp"
#include "schedule/model/problem.hpp"

namespace tutti {

/// Data that has to be moved for a problem, whatever the algorithm.
struct NecessaryTraffic {
  std::int64_t messages = 0;  ///< messages of all ranks together
  double elements = 0;        ///< elements that these messages carry
  bool mutual = false;        ///< whether each rank has to hear of each other, so that no rank runs ahead of another
};

/// Ranks other than the root have to be told, or heard of, once each: p - 1 messages. An all-reduce, an all-gather, a
/// reduce-scatter and an all-to-all bring (p - 1) blocks of the result to each rank, an all-reduce after as many
/// operands have met (P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms, 2009, theorem 1); a scan has
/// each rank but the first get one message. Blocks without elements are neither told nor heard of. O(1), or O(number of
/// counts), which have to be those of all ranks.
NecessaryTraffic necessary_for(const Problem& problem);

/// Whether no rank has anything to tell another one: of one rank, or without elements. Costs and needs what
/// necessary_for() does.
bool moves_nothing(const Problem& problem);

/// Seconds that a call in a row of calls takes at least, by the same constants as replayed_seconds(): all ranks' work
/// at the cheapest price of a byte, shared by the cores that they have; where each hears of each other, one message and
/// the bytes of a rank one after the other. 0 where nothing has to move. Costs and needs what necessary_for() does.
double bound_seconds(const LevelCosts& costs, int cores, const Problem& problem, std::int64_t element_size);

}  // namespace tutti
