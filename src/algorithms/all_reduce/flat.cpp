/// @file
/// All-reduce in one step: every rank sends its input to all others and folds all inputs itself.
///
///     0 --x0--> 1, 2, 3    1 --x1--> 2, 3, 0    …        every rank: ((x0 ∘ x1) ∘ x2) ∘ x3        p = 4
///
/// Nothing is staged if ranks read one another's memory: each takes p inputs in one pass and writes its own result. All
/// do equal work, p - 1 times more than needed, and so wait for one another once only.
///
/// Needs     any p >= 1, any associative operator: all ranks fold in rank order, so that all hold the same bits.
/// Buffers   `input`, sent and read where it lies; `output`, in which the fold grows. In place the sends read what the
///           fold would overwrite: m bytes of scratch take it, and one copy more brings it to the output.
/// Traffic   p (p - 1) messages, p (p - 1) m bytes.
/// Time      (p - 1)(ts + m tw + m tc) on one-port ranks: in round k, rank r sends to r + k.
/// Optimal   in steps. In rounds and in bytes only for p = 2: see recursive_doubling.cpp and direct.cpp.
/// Source    R. L. Graham, G. Shipman, MPI Support for Multi-core Architectures: Optimized Shared Memory Collectives,
///           EuroPVM/MPI, 2008.

#include "algorithms/operands.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_flat(Script& me, const Problem& problem) {
  const int p = me.size();
  const int r = me.rank();
  const Slice result = problem.in_place && p > 1 ? me.scratch(0, problem.count) : me.output();
  for (int k = 1; k < p; ++k) me.send(me.input(), (r + k) % p);
  me.fold(result, operands_in_rank_order(me, 0, p, me.input()));
  me.wait();
  me.copy(me.output(), result);
}

Claims claims_flat(const Problem& problem) {
  const std::int64_t p = problem.ranks;
  return {.rounds = p - 1, .messages = p * (p - 1), .elements = p * (p - 1) * problem.count};
}

}  // namespace

const Algorithm all_reduce_flat{
    .collective = Collective::all_reduce,
    .name = "flat",
    .summary = "Every rank sends its input to all others and folds all inputs in rank order, in one step.",
    .when = "Short messages among few ranks that read one another's memory; any operator.",
    .source =
        "R. L. Graham, G. Shipman, MPI Support for Multi-core Architectures: Optimized Shared Memory "
        "Collectives, 2008",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_flat,
    .claims = claims_flat,
};

}  // namespace tutti::algorithms
