/// @file
/// All-gather round a ring both ways at once: half the steps of the ring where ranks have two ports.
///
/// In step k every rank passes on to the right the block that came from k ranks to the left, and to the left the one
/// that came from k ranks to the right. For an even p the last step has one of them.
///
///     step 1    0 <--> 1 <--> 2 <--> 3 <--> 4 <--> 0        p = 5: blocks of neighbours
///     step 2    0 <--> 1 <--> 2 <--> 3 <--> 4 <--> 0        blocks of their neighbours
///
/// Needs     any p >= 1, any block sizes.
/// Buffers   `input`, one block; `output`, p blocks. No scratch.
/// Traffic   p(p - 1) messages; every block p - 1 times, always to a neighbour.
/// Time      (p - 1)(ts + tw m) on one-port ranks; ceil((p - 1)/2)(ts + tw m) where a rank may use both of its links.
/// Optimal   in bytes; on a ring whose ranks have two ports also in rounds.
/// Source    P. Fraigniaud, E. Lazard, Methods and problems of communication in usual networks, Discrete Applied
///           Mathematics 53, 1994, §4: gossiping in rings.

#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record_ring_bidirectional(Script& me, const Problem&) {
  const int p = me.size();
  const auto rank_at = [&](int offset) { return modulo(me.rank() + offset, p); };
  const auto block = [&](int offset) { return offset == 0 ? me.input() : me.output(rank_at(offset)); };
  me.copy(me.output(me.rank()), me.input());
  for (int k = 0; 2 * k + 1 < p; ++k) {
    const bool both_ways = 2 * k + 2 < p;
    me.send(block(-k), rank_at(1));
    if (both_ways) me.send(block(k), rank_at(-1));
    me.receive(block(-k - 1), rank_at(-1));
    if (both_ways) me.receive(block(k + 1), rank_at(1));
    me.wait();
  }
}

Claims claims_ring_bidirectional(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = others, .messages = problem.ranks * others, .elements = others * all_blocks(problem).total()};
}

}  // namespace

const Algorithm all_gather_ring_bidirectional{
    .collective = Collective::all_gather,
    .name = "ring-bidirectional",
    .aliases = {"double-ring"},
    .summary = "Blocks travel round a ring both ways at once.",
    .when = "Long blocks on rings whose ranks can use both of their links at a time: half the ring's steps.",
    .source = "P. Fraigniaud, E. Lazard, Methods and problems of communication in usual networks, 1994, §4",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_ring_bidirectional,
    .claims = claims_ring_bidirectional,
};

}  // namespace tutti::algorithms
