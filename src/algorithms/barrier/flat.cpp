/// @file
/// Barrier in one step: every rank signals to all others and awaits all of them.
///
///     0 --> 1, 2, 3    1 --> 2, 3, 0    2 --> 3, 0, 1    3 --> 0, 1, 2        p = 4
///
/// Needs     any p >= 1.
/// Buffers   none: signals carry no bytes.
/// Traffic   p (p - 1) messages, 0 bytes.
/// Time      (p - 1) ts on one-port ranks.
/// Optimal   in steps. Not in messages or rounds: see tree.cpp and dissemination.cpp.
/// Source    T. Hoefler, T. Mehlan, F. Mietke, W. Rehm, Fast Barrier Synchronization for InfiniBand, IPDPS, 2006: n-way
///           dissemination with n = p - 1.

#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_flat(Script& me, const Problem&) {
  const int p = me.size();
  const int r = me.rank();
  for (int k = 1; k < p; ++k) me.signal((r + k) % p);
  for (int k = 1; k < p; ++k) me.await((r - k + p) % p);
}

Claims claims_flat(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = others, .messages = problem.ranks * others, .elements = 0};
}

}  // namespace

const Algorithm barrier_flat{
    .collective = Collective::barrier,
    .name = "flat",
    .summary = "Every rank signals to all others and awaits all of them, in one step.",
    .when = "Few ranks that see one another's flags.",
    .source = "T. Hoefler, T. Mehlan, F. Mietke, W. Rehm, Fast Barrier Synchronization for InfiniBand, 2006",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_flat,
    .claims = claims_flat,
};

}  // namespace tutti::algorithms
