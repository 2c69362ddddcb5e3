/// @file
/// Scatter by the root alone: it sends each rank its block.
///
/// Needs     any p >= 1, any root; any block sizes.
/// Buffers   the root's `input` of p blocks, everyone's `output` of one; the root copies its own. No scratch.
/// Traffic   p - 1 messages, every block but the root's once.
/// Time      (p - 1)(ts + m tw).
/// Optimal   in bytes; not in rounds: see binomial.cpp.
/// Source    E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §4.

#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_linear(Script& me, const Problem& problem) {
  if (me.rank() != problem.root) {
    me.receive(me.output(), problem.root);
    return me.wait();
  }
  me.copy(me.output(), me.input(me.rank()));
  // Ranks that go on to exchange their blocks in the order rank + 1, rank + 2, … then do not meet at one rank.
  for (int k = 1; k < me.size(); ++k) {
    const int rank = (problem.root + k) % me.size();
    me.send(me.input(rank), rank);
  }
  me.wait();
}

Claims claims_linear(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = others,
          .messages = others,
          .elements = all_blocks(problem).total() - problem.block_count(problem.root)};
}

}  // namespace

const Algorithm scatter_linear{
    .collective = Collective::scatter,
    .name = "linear",
    .aliases = {"flat"},
    .summary = "The root sends every rank its block.",
    .when = "Few ranks, long blocks, or ranks that can all read the root's memory at once.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §4",
    .own_blocks_suffice = true,
    .record = record_linear,
    .claims = claims_linear,
};

}  // namespace tutti::algorithms
