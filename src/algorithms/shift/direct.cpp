/// @file
/// Shift by one message a rank, straight to its destination.
///
///     0 --> 2    1 --> 3    2 --> 4    3 --> 0    4 --> 1        p = 5, q = 2
///
/// On a hypercube whose ranks are its labels, E-cube routes of these messages share no link for any q: cut through, the
/// shift costs one message time plus its hops.
///
/// Needs     any p >= 1, any distance.
/// Buffers   `input`, sent whole; `output`, received whole. No scratch; a copy where q is a multiple of p.
/// Traffic   p messages, p m bytes.
/// Time      ts + m tw where ranks are fully connected.
/// Optimal   in rounds and bytes. Elsewhere see ring.cpp, mesh.cpp and gray_code.cpp, which use neighbours only.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.6.2.

#include "algorithms/shift/hops.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_direct(Script& me, const Problem& problem) {
  const int p = me.size();
  const int q = distance_of(problem);
  if (q == 0) {
    me.copy(me.output(), me.input());
    return;
  }
  me.send(me.input(), (me.rank() + q) % p);
  me.receive(me.output(), (me.rank() - q + p) % p);
}

Claims claims_direct(const Problem& problem) {
  if (distance_of(problem) == 0) return {};
  return {.rounds = 1, .messages = problem.ranks, .elements = all_blocks(problem).total()};
}

}  // namespace

const Algorithm shift_direct{
    .collective = Collective::shift,
    .name = "direct",
    .aliases = {"linear", "hypercube-ecube", "e-cube"},
    .summary = "Every rank sends its block straight to its destination.",
    .when = "By default, and on a hypercube with cut-through routing, where no link is shared.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.6.2",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_direct,
    .claims = claims_direct,
};

}  // namespace tutti::algorithms
