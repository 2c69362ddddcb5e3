/// @file
/// All-gather round a ring: each rank passes on what it received last.
///
///     round 1:  0 -{0}-> 1 -{1}-> 2 -{2}-> 3 -{3}-> 0        p = 4; block numbers in braces
///     round 2:  0 -{3}-> 1 -{0}-> 2 -{1}-> 3 -{2}-> 0
///     round 3:  0 -{2}-> 1 -{3}-> 2 -{0}-> 3 -{1}-> 0
///
/// Needs     any p >= 1, any block sizes.
/// Buffers   `input`, one block; `output`, p blocks, each received where it belongs and sent on from there. No scratch.
/// Traffic   p(p - 1) messages; every block p - 1 times, always to a neighbour.
/// Time      (p - 1)(ts + m tw), on a ring with store-and-forward as on full connection.
/// Optimal   in bytes: every rank must receive p - 1 blocks. On a one-port ring in rounds, too.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.1.

#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record_ring(Script& me, const Problem&) {
  const int p = me.size();
  const int right = modulo(me.rank() + 1, p);
  const int left = modulo(me.rank() - 1, p);
  me.copy(me.output(me.rank()), me.input());
  for (int k = 0; k + 1 < p; ++k) {
    me.send(k == 0 ? me.input() : me.output(modulo(me.rank() - k, p)), right);
    me.receive(me.output(modulo(me.rank() - k - 1, p)), left);
    me.wait();
  }
}

Claims claims_ring(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = others, .messages = problem.ranks * others, .elements = others * all_blocks(problem).total()};
}

}  // namespace

const Algorithm all_gather_ring{
    .collective = Collective::all_gather,
    .name = "ring",
    .aliases = {"bucket"},
    .summary = "Blocks travel round a ring; each rank passes on what it received last.",
    .when = "Long blocks, and networks where only neighbours are near.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.1",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_ring,
    .claims = claims_ring,
};

}  // namespace tutti::algorithms
