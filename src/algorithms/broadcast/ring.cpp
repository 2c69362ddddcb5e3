/// @file
/// Broadcast on a ring, both ways from the root: every message goes to a neighbour.
///
///     6 <-r3- 7 <-r2- 0 -r1-> 1 -r2-> 2 -r3-> 3 -r4-> 4        p = 8, root 0; 5 is reached from 6 in r4
///
/// Number the ranks from the root. The root serves v = 1 first, then v = p - 1; the first way takes floor(p/2) ranks,
/// so that both ways end in the same round or one apart. For the dual with an operator that is not commutative the ways
/// change places: its root then takes in the lower ranks before the higher ones.
///
/// Needs     any p >= 1, any root.
/// Buffers   `message`; no scratch.
/// Traffic   p - 1 messages, (p - 1) m bytes, each over one link of the ring.
/// Time      ceil(p/2)(ts + m tw), store-and-forward on a ring.
/// Optimal   in rounds on a one-port ring: the farthest rank is floor(p/2) links away, and an odd p costs one round
///           more because the root sends one way at a time.
/// Source    V. Kumar, A. Grama, A. Gupta, G. Karypis, Introduction to Parallel Computing: Design and Analysis of
///           Algorithms, 1994, §3.2: store-and-forward routing.

#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record_ring(Script& me, const Problem& problem) {
  const int p = me.size();
  const int v = modulo(me.rank() - problem.root, p);
  const auto rank_of = [&](int u) { return modulo(u + problem.root, p); };

  // The way `up` runs over v = 1, 2, …, reach; the other over v = p - 1, p - 2, …, reach + 1.
  const int longer = p / 2;
  const int reach = problem.commutative ? longer : p - 1 - longer;
  const bool on_up = v <= reach;
  const int away = on_up ? 1 : -1;

  if (v != 0) {
    me.receive(me.message(), rank_of(v - away));
    me.wait();
    const bool last = on_up ? v == reach : v == reach + 1;
    if (!last) me.send(me.message(), rank_of(v + away));
    return me.wait();
  }
  for (const bool up : {problem.commutative, !problem.commutative}) {
    const bool anyone = up ? reach >= 1 : reach <= p - 2;
    if (anyone) me.send(me.message(), rank_of(up ? 1 : -1));
    me.wait();
  }
}

Claims claims_ring(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = problem.ranks == 1 ? 0 : ceil_divide(problem.ranks, 2),
          .messages = others,
          .elements = others * problem.count};
}

}  // namespace

const Algorithm broadcast_ring{
    .collective = Collective::broadcast,
    .name = "ring",
    .aliases = {"ring-bidirectional", "linear-array"},
    .summary = "The message travels both ways round a ring, from neighbour to neighbour.",
    .when = "Rings and linear arrays that store and forward, where only neighbours are near.",
    .source = "V. Kumar, A. Grama, A. Gupta, G. Karypis, Introduction to Parallel Computing, 1st ed., 1994, §3.2",
    .record = record_ring,
    .claims = claims_ring,
};

}  // namespace tutti::algorithms
