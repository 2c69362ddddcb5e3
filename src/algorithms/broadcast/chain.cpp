/// @file
/// Broadcast along a chain in segments: while a rank passes on one segment, it receives the next.
///
///     0 -s1-> 1              round 1, p = 3, segments s1, s2, s3
///     0 -s2-> 1 -s1-> 2      round 2
///     0 -s3-> 1 -s2-> 2      round 3
///             1 -s3-> 2      round 4
///
/// Needs     any p >= 1, any root; S segments: me.segments_for(m).
/// Buffers   `message`, received and sent in S parts; no scratch.
/// Traffic   (p - 1) S messages, (p - 1) m bytes.
/// Time      (p + S - 2)(ts + (m/S) tw) for p > 1.
/// Optimal   in bytes when S is large: m tw (1 + (p - 2)/S); the best S is sqrt((p - 2) m tw / ts). Not in rounds.
/// Source    J. Watts, R. van de Geijn, A Pipelined Broadcast for Multidimensional Meshes, Parallel Processing Letters
///           5, 1995.

#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {
namespace {

void record_chain(Script& me, const Problem& problem) {
  const int p = me.size();
  const int v = modulo(me.rank() - problem.root, p);
  if (v > 0) {
    me.receive(me.message(), modulo(me.rank() - 1, p));
    me.wait();
  }
  if (v + 1 < p) {
    me.send(me.message(), modulo(me.rank() + 1, p));
    me.wait();
  }
}

Claims claims_chain(const Problem& problem, const Parameters& parameters) {
  const std::int64_t others = problem.ranks - 1;
  const std::int64_t segments = parameters.segments_for(problem.count);
  return {.rounds = others == 0 ? 0 : others + segments - 1,
          .messages = others * segments,
          .elements = others * problem.count};
}

const Algorithm whole_chain{
    .collective = Collective::broadcast, .name = "chain of one segment", .record = record_chain};

}  // namespace

const Algorithm broadcast_chain{
    .collective = Collective::broadcast,
    .name = "chain",
    .aliases = {"chain-pipelined", "pipeline"},
    .summary = "Segments of the message follow one another down a chain of all ranks.",
    .when = "Long messages over few ranks, and linear arrays.",
    .source = "J. Watts, R. van de Geijn, A Pipelined Broadcast for Multidimensional Meshes, 1995",
    .record = pipelined(whole_chain),
    .claims = claims_chain,
};

}  // namespace tutti::algorithms
