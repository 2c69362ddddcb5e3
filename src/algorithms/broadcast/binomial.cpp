/// @file
/// Broadcast along a binomial tree: recursive doubling.
///
/// The root holds a message of m bytes; afterwards all p ranks hold it. Number the ranks from the root, so that the
/// root is 0: see virtual_ranks.hpp. Rank v receives from v with its lowest set bit cleared, then serves the subtrees
/// below that bit, largest first.
///
///     0 --r1--> 4 --r2--> 5        p = 6; rN is the round in which
///     0 --r2--> 2 --r3--> 3        the message crosses that edge
///     0 --r3--> 1
///
/// Needs     any p >= 1, any root.
/// Buffers   `message`, sent whole; read at the root, written once elsewhere. No scratch.
/// Traffic   p - 1 messages, (p - 1) m bytes; the root alone sends ceil(log2 p) m.
/// Time      ceil(log2 p)(ts + m tw) where ranks are fully connected.
/// Optimal   in rounds for one-port ranks: the informed ranks can at most double. Not in bytes: see
///           scatter_all_gather.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1,
///           Algorithm 4.2.

#include "algorithms/table.hpp"
#include "algorithms/virtual_ranks.hpp"

namespace tutti::algorithms {
namespace {

void record_binomial(Script& me, const Problem& problem) {
  const int p = me.size();
  const VirtualRanks numbered(problem);
  const int v = numbered.number_of(me.rank());

  // v heads the subtree [v, v + span), cut off at p.
  const int span = v == 0 ? ceil_power_of_two(p) : v & -v;

  if (v != 0) {
    me.receive(me.message(), numbered.rank_of(v - span));
    me.wait();
  }
  for (int half = span / 2; half > 0; half /= 2) {
    if (v + half >= p) continue;
    me.send(me.message(), numbered.rank_of(v + half));
    me.wait();
  }
}

Claims claims_binomial(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = ceil_log2(problem.ranks), .messages = others, .elements = others * problem.count};
}

}  // namespace

const Algorithm broadcast_binomial{
    .collective = Collective::broadcast,
    .name = "binomial",
    .aliases = {"hypercube", "recursive-doubling", "tree"},
    .summary = "Every informed rank informs one more in each round, along a binomial tree.",
    .when = "Short messages: no algorithm needs fewer rounds.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1",
    .record = record_binomial,
    .claims = claims_binomial,
};

}  // namespace tutti::algorithms
