/// @file
/// Reduce in one step: every rank sends its input to the root, which folds all of them.
///
///     1 --x1--> 0, 2 --x2--> 0, 3 --x3--> 0        the root: ((x0 ∘ x1) ∘ x2) ∘ x3        p = 4, root 0
///
/// Needs     any p >= 1, any root, any associative operator: the fold is in rank order for every root.
/// Buffers   `input`, sent and read where it lies; the root's `output`, in which the fold grows. In place a root above
///           rank 1 sets its own input aside: m bytes of scratch.
/// Traffic   p - 1 messages, (p - 1) m bytes, all received by the root.
/// Time      (p - 1)(ts + m tw + m tc) on one-port ranks.
/// Optimal   in steps, in messages and in bytes. Not in rounds: see reduce.cpp.
/// Source    J. Pješivac-Grbović et al., Performance analysis of MPI collective operations, Cluster Computing 10, 2007:
///           the flat tree.

#include "algorithms/operands.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace tutti::algorithms {
namespace {

void record_flat(Script& me, const Problem& problem) {
  if (me.rank() != problem.root) {
    me.send(me.input(), problem.root);
    return;
  }
  const Slice own = set_aside(me, me.input(), me.output());
  me.fold(me.output(), operands_in_rank_order(me, 0, me.size(), own));
}

Claims claims_flat(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = others, .messages = others, .elements = others * problem.count};
}

}  // namespace

const Algorithm reduce_flat{
    .collective = Collective::reduce,
    .name = "flat",
    .summary = "The root receives every other rank's input and folds all inputs in rank order, in one step.",
    .when = "Short messages among few ranks whose memory the root can read.",
    .source = "J. Pješivac-Grbović et al., Performance analysis of MPI collective operations, 2007",
    .record = record_flat,
    .claims = claims_flat,
};

}  // namespace tutti::algorithms
