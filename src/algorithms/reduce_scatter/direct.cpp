/// @file
/// Reduce-scatter in one step: every rank sends each other rank its block and folds its own block of all inputs.
///
///     rank r: block r of x0 ∘ x1 ∘ … ∘ x(p - 1), its own where it lies, the others as they are sent
///
/// Needs     any p >= 1, any block sizes, any associative operator.
/// Buffers   `input`, p blocks, sent and read where they lie; `output`, one block, in which the fold grows. No scratch.
/// Traffic   p (p - 1) messages, p - 1 times the bytes of all blocks.
/// Time      (p - 1)(ts + m tw + m tc) on one-port ranks: in round k, rank r sends to r + k.
/// Optimal   in bytes, in combinations and in steps; not in rounds: see all_gather/bruck.cpp, reversed.
/// Source    S. Li, T. Hoefler, M. Snir, NUMA-aware shared-memory collective communication for MPI, HPDC, 2013: the
///           first half of the tiled reduce.

#include "algorithms/operands.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {

void combine_own_part(Script& me, const Slice& into) {
  const int p = me.size();
  const int r = me.rank();
  const Slice own = set_aside(me, me.input(r), into);
  for (int k = 1; k < p; ++k) me.send(me.input((r + k) % p), (r + k) % p);
  me.fold(into, operands_in_rank_order(me, 0, p, own));
  me.wait();
}

namespace {

Claims claims_direct(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = others, .messages = problem.ranks * others, .elements = others * all_blocks(problem).total()};
}

}  // namespace

const Algorithm reduce_scatter_direct{
    .collective = Collective::reduce_scatter,
    .name = "direct",
    .aliases = {"flat", "tiled"},
    .summary = "Every rank folds its block of all inputs in rank order, in one step.",
    .when = "Ranks that read one another's memory: each element is read once, in one pass; any operator.",
    .source = "S. Li, T. Hoefler, M. Snir, NUMA-aware shared-memory collective communication for MPI, 2013",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = [](Script& me, const Problem&) { combine_own_part(me, me.output()); },
    .claims = claims_direct,
};

}  // namespace tutti::algorithms
