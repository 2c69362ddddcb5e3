/// @file
/// Barrier along a binomial tree: signals are gathered at rank 0, then the release goes out the same way.
///
/// Rank v's parent is v with its lowest set bit cleared. A rank signals to its parent when it has heard from all its
/// children, smallest subtree first; once released, it releases them, largest subtree first.
///
///     1 --r1--> 0    3 --r1--> 2    5 --r1--> 4        p = 6; rN is the round in which
///     2 --r2--> 0                                      a signal crosses that edge
///     4 --r3--> 0
///     0 --r4--> 4    0 --r5--> 2    4 --r5--> 5    0 --r6--> 1    2 --r6--> 3
///
/// Needs     any p >= 1.
/// Buffers   none: signals carry no bytes.
/// Traffic   2 (p - 1) messages, 0 bytes.
/// Time      2 ceil(log2 p) ts where ranks are fully connected.
/// Optimal   in messages: every rank but one must be heard and must be told. Not in rounds: see dissemination.cpp.
/// Source    the combining tree: J. M. Mellor-Crummey, M. L. Scott, Algorithms for scalable synchronization on
///           shared-memory multiprocessors, ACM TOCS 9(1), 1991, §3.

#include "algorithms/barrier/tree_halves.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

// v heads the subtree [v, v + span), cut off at p.
int span_of(int v, int p) { return v == 0 ? ceil_power_of_two(p) : v & -v; }

void arrive(Script& me, const Problem&) {
  const int p = me.size();
  const int v = me.rank();
  const int span = span_of(v, p);
  for (int half = 1; half < span && v + half < p; half *= 2) {
    me.await(v + half);
    me.wait();
  }
  if (v != 0) {
    me.signal(v - span);
    me.wait();
  }
}

void release(Script& me, const Problem&) {
  const int p = me.size();
  const int v = me.rank();
  const int span = span_of(v, p);
  if (v != 0) {
    me.await(v - span);
    me.wait();
  }
  for (int half = span / 2; half > 0; half /= 2) {
    if (v + half >= p) continue;
    me.signal(v + half);
    me.wait();
  }
}

Claims half_of_claims(const Problem& problem) {
  return {.rounds = ceil_log2(problem.ranks), .messages = problem.ranks - 1, .elements = 0};
}

Claims claims_tree(const Problem& problem) {
  const Claims half = half_of_claims(problem);
  return {.rounds = 2 * half.rounds, .messages = 2 * half.messages, .elements = 0};
}

}  // namespace

const Algorithm barrier_arrival{.collective = Collective::barrier, .record = arrive, .claims = half_of_claims};
const Algorithm barrier_release{.collective = Collective::barrier, .record = release, .claims = half_of_claims};

const Algorithm barrier_tree{
    .collective = Collective::barrier,
    .name = "tree",
    .aliases = {"binomial"},
    .summary = "Signals are gathered along a binomial tree, then the release goes back along it.",
    .when = "Where messages are dear or many ranks share few links: it sends the fewest messages.",
    .source =
        "J. M. Mellor-Crummey, M. L. Scott, Algorithms for scalable synchronization on shared-memory multiprocessors, "
        "1991, §3",
    .record =
        [](Script& me, const Problem& problem) {
          me.phase("arrival");
          arrive(me, problem);
          me.phase("release");
          release(me, problem);
        },
    .claims = claims_tree,
};

}  // namespace tutti::algorithms
