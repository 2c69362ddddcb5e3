/// @file
/// Broadcast by the root alone: it sends the message to one rank after the other.
///
///     0 --r1--> 1        p = 4, root 0
///     0 --r2--> 3
///     0 --r3--> 2
///
/// Ranks below the root are served first, in rising order, then those above it, in falling order: the dual then
/// combines the nearest ranks first, upwards and then downwards, which keeps rank order for every root.
///
/// Needs     any p >= 1, any root.
/// Buffers   `message`, read at the root, written once elsewhere. No scratch.
/// Traffic   p - 1 messages, (p - 1) m bytes, all sent by the root.
/// Time      (p - 1)(ts + m tw).
/// Optimal   only for p <= 2 on one-port ranks; a root that may serve all peers at once needs one round.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1 (the
///           naive way).

#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_linear(Script& me, const Problem& problem) {
  if (me.rank() != problem.root) {
    me.receive(me.message(), problem.root);
    return me.wait();
  }
  for (int rank = 0; rank < problem.root; ++rank) me.send(me.message(), rank);
  for (int rank = me.size() - 1; rank > problem.root; --rank) me.send(me.message(), rank);
  me.wait();
}

Claims claims_linear(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = others, .messages = others, .elements = others * problem.count};
}

}  // namespace

const Algorithm broadcast_linear{
    .collective = Collective::broadcast,
    .name = "linear",
    .aliases = {"flat"},
    .summary = "The root sends the message to every other rank itself.",
    .when = "Few ranks that can all read the root's memory at once; otherwise as the yardstick for the rest.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1",
    .record = record_linear,
    .claims = claims_linear,
};

}  // namespace tutti::algorithms
