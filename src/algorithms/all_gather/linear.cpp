/// @file
/// All-gather by every rank sending its block to every other.
///
/// Needs     any p >= 1, any block sizes.
/// Buffers   `input`, one block, sent from where it lies; `output`, p blocks. No scratch.
/// Traffic   p(p - 1) messages; every block p - 1 times.
/// Time      (p - 1)(ts + m tw) on one-port ranks: in round j, rank r sends to r + j.
/// Optimal   in bytes; not in rounds.
/// Source    E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §5.

#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

// Each receive stands before the send to the rank opposite: the dual, which must take messages one by one, then
// pairs them in the same order on all ranks.
void record_linear(Script& me, const Problem&) {
  const int p = me.size();
  me.copy(me.output(me.rank()), me.input());
  for (int j = 1; j < p; ++j) {
    const int from = modulo(me.rank() - j, p);
    me.receive(me.output(from), from);
    me.send(me.input(), modulo(me.rank() + j, p));
  }
  me.wait();
}

Claims claims_linear(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = others, .messages = problem.ranks * others, .elements = others * all_blocks(problem).total()};
}

}  // namespace

const Algorithm all_gather_linear{
    .collective = Collective::all_gather,
    .name = "linear",
    .aliases = {"flat", "direct", "spread-out"},
    .summary = "Every rank sends its block to every other rank.",
    .when = "Ranks that read one another's memory: each block is read in place, with no rank waiting for a relay.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §5",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_linear,
    .claims = claims_linear,
};

}  // namespace tutti::algorithms
