/// @file
/// Barrier by dissemination.
///
/// In round k every rank signals to the rank 2^k further on and awaits the one 2^k back, around the end. After round k
/// a rank has heard, directly or not, from the 2^(k+1) - 1 ranks before it.
///
///     k = 0    0 -> 1    1 -> 2    2 -> 3    3 -> 4    4 -> 0        p = 5
///     k = 1    0 -> 2    1 -> 3    2 -> 4    3 -> 0    4 -> 1
///     k = 2    0 -> 4    1 -> 0    2 -> 1    3 -> 2    4 -> 3
///
/// Needs     any p >= 1.
/// Buffers   none: signals carry no bytes.
/// Traffic   p ceil(log2 p) messages, 0 bytes.
/// Time      ceil(log2 p) ts where ranks are fully connected.
/// Optimal   in rounds for one-port ranks: what a rank has heard from can at most double. Not in messages: see
///           tree.cpp.
/// Source    D. Hensgen, R. Finkel, U. Manber, Two algorithms for barrier synchronization, Int. J. of Parallel
///           Programming 17(1), 1988.

#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record_dissemination(Script& me, const Problem&) {
  const int p = me.size();
  for (int distance = 1; distance < p; distance *= 2) {
    me.signal((me.rank() + distance) % p);
    me.await((me.rank() - distance + p) % p);
    me.wait();
  }
}

Claims claims_dissemination(const Problem& problem) {
  const std::int64_t rounds = ceil_log2(problem.ranks);
  return {.rounds = rounds, .messages = problem.ranks * rounds, .elements = 0};
}

}  // namespace

const Algorithm barrier_dissemination{
    .collective = Collective::barrier,
    .name = "dissemination",
    .summary = "In round k every rank signals to the rank 2^k further on.",
    .when = "By default: no barrier has fewer rounds.",
    .source = "D. Hensgen, R. Finkel, U. Manber, Two algorithms for barrier synchronization, 1988",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_dissemination,
    .claims = claims_dissemination,
};

}  // namespace tutti::algorithms
