/// @file
/// Broadcast along a k-nomial tree: a binomial tree whose nodes serve k - 1 others where theirs serve one.
///
/// Number the ranks from the root, in base k. Rank v receives from v with its lowest digit that is not 0 cleared, then
/// serves the subtrees below that digit, widest first: the k - 1 of one width in one step, farthest first, so that the
/// dual combines neighbours first.
///
///     0 --step 1--> 9        p = 10, k = 3
///     0 --step 2--> 6, 3
///     0 --step 3--> 2, 1     6 --step 3--> 8, 7     3 --step 3--> 5, 4
///
/// Needs     any p >= 1, any root; k is me.radix_for(p).
/// Buffers   `message`, sent whole; read at the root, written once elsewhere. No scratch.
/// Traffic   p - 1 messages, (p - 1) m bytes.
/// Time      ((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1)(ts + m tw), L = ceil(log_k p), on one-port ranks; L (ts + m tw)
///           where ranks may serve k - 1 others at once.
/// Optimal   in rounds where ranks have k - 1 ports, and for k = 2.
/// Source    M. Wilkins, H. Wang, P. Liu, B. Pham, Y. Guo, R. Thakur, P. Dinda, N. Hardavellas, Generalized Collective
///           Algorithms for the Exascale Era, CLUSTER, 2023, §3.

#include "algorithms/digits.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_k_nomial(Script& me, const Problem& problem) {
  const int p = me.size();
  const Digits digits(p, me.radix_for(p));
  const int v = modulo(me.rank() - problem.root, p);
  const auto rank_of = [&](int u) { return (u + problem.root) % p; };

  int weight = digits.top();
  if (v != 0) {
    weight = digits.lowest(v);
    me.receive(me.message(), rank_of(v - digits.digit(v, weight) * weight));
    me.wait();
    weight /= digits.base();
  }
  for (; weight > 0; weight /= digits.base()) {
    for (int value = digits.values(weight); value > 0; --value) {
      if (const int child = v + value * weight; child < p) me.send(me.message(), rank_of(child));
    }
    me.wait();
  }
}

Claims claims_k_nomial(const Problem& problem, const Parameters& parameters) {
  const std::int64_t others = problem.ranks - 1;
  return {.rounds = Digits(problem.ranks, parameters.radix_for(problem.ranks)).all_values(),
          .messages = others,
          .elements = others * problem.count};
}

}  // namespace

const Algorithm broadcast_k_nomial{
    .collective = Collective::broadcast,
    .name = "k-nomial",
    .aliases = {"knomial"},
    .summary = "Every informed rank informs k - 1 more in each step, along a tree of radix k.",
    .when = "Short messages over several nodes whose ranks have several messages under way at once.",
    .source = "M. Wilkins et al., Generalized Collective Algorithms for the Exascale Era, 2023, §3",
    .for_several_nodes = true,
    .record = record_k_nomial,
    .claims = claims_k_nomial,
};

}  // namespace tutti::algorithms
