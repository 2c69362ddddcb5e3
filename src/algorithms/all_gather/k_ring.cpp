/// @file
/// All-gather round rings of k ranks each, and round the ring of these.
///
/// Consecutive ranks form groups of k. Blocks of one group go round the ring in every group; then each rank passes its
/// own of them on to the rank of its place in the next group, and those go round. So each rank sends only every k-th
/// message out of its group, and all do so at once, where in a ring the last rank of a group sends all of them.
///
///     groups (0 1 2) (3 4 5)      rounds 1, 2    0 -> 1 -> 2 -> 0    3 -> 4 -> 5 -> 3       p = 6, k = 3
///                                 round 3        0 <-> 3    1 <-> 4    2 <-> 5
///                                 rounds 4, 5    0 -> 1 -> 2 -> 0    3 -> 4 -> 5 -> 3
///
/// Needs     any p >= 1, any block sizes. k is the largest divisor of p up to me.radix_for(p): for a prime
///           p it may be 1, as in ring.cpp.
/// Buffers   `input`, one block; `output`, p blocks, each received where it belongs and sent on from there. No scratch.
/// Traffic   p(p - 1) messages; every block p - 1 times; p/k - 1 messages of each rank leave its group.
/// Time      (p - 1)(ts + m tw) where ranks are fully connected.
/// Optimal   in bytes.
/// Source    M. Wilkins, H. Wang, P. Liu, B. Pham, Y. Guo, R. Thakur, P. Dinda, N. Hardavellas, Generalized Collective
///           Algorithms for the Exascale Era, CLUSTER, 2023, §3.

#include "algorithms/all_gather/all_gather.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

int group_size(int p, int at_most) {
  int size = at_most;
  while (p % size != 0) --size;
  return size;
}

void record_k_ring(Script& me, const Problem&) {
  const int p = me.size();
  const int k = group_size(p, me.radix_for(p));
  const int group = me.rank() / k;
  const int place = me.rank() % k;
  const auto rank_at = [&](int in_group, int at) { return modulo(in_group, p / k) * k + modulo(at, k); };
  bool is_first = true;
  const auto pass_on = [&](int block, int to, int next, int from) {
    me.send(is_first ? me.input() : me.output(block), to);
    me.receive(me.output(next), from);
    me.wait();
    is_first = false;
  };
  me.copy(me.output(me.rank()), me.input());
  for (int shown = group; shown > group - p / k; --shown) {
    for (int step = 0; step + 1 < k; ++step) {
      pass_on(rank_at(shown, place - step), rank_at(group, place + 1), rank_at(shown, place - step - 1),
              rank_at(group, place - 1));
    }
    if (shown - 1 > group - p / k) {
      pass_on(rank_at(shown, place), rank_at(group + 1, place), rank_at(shown - 1, place), rank_at(group - 1, place));
    }
  }
}

Claims claims_k_ring(const Problem& problem) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = others, .messages = problem.ranks * others, .elements = others * all_blocks(problem).total()};
}

}  // namespace

Shape groups_of_k_ring(const Parameters& parameters, int ranks) {
  const int k = group_size(ranks, parameters.radix_for(ranks));
  return {ranks / k, k};
}

const Algorithm all_gather_k_ring{
    .collective = Collective::all_gather,
    .name = "k-ring",
    .summary = "Blocks go round rings of k ranks, and from each rank to its like in the next ring.",
    .when = "Long blocks over several nodes of k ranks: all ranks of a node send out of it, each every k-th message.",
    .source = "M. Wilkins et al., Generalized Collective Algorithms for the Exascale Era, 2023, §3",
    .for_several_nodes = true,
    .grid_symmetry = groups_of_k_ring,
    .record = record_k_ring,
    .claims = claims_k_ring,
};

}  // namespace tutti::algorithms
