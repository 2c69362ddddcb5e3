/// @file
/// Scatter along a k-nomial tree: groups of ranks are cut in k.
///
/// Number the ranks from the root, in base k. The head of a group sends the k - 1 other parts of it their blocks in one
/// step; all go on with a k-th of the group and of the data.
///
///     0 --{6,7,8}--> 6 --{8}--> 8        p = 9, k = 3; block numbers in braces
///     |              6 --{7}--> 7
///     0 --{3,4,5}--> 3 …
///     0 --{2}--> 2     0 --{1}--> 1
///
/// Needs     any p >= 1, any root; any block sizes; k is me.radix_for(p).
/// Buffers   the root's `input` of p blocks, everyone's `output` of one; ranks on the way keep the blocks of others in
///           scratch at the positions of the root's input.
/// Traffic   p - 1 messages; block v travels as many links as v has digits that are not 0.
/// Time      ts ((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1) + tw m (p - 1), L = ceil(log_k p), on one-port ranks.
/// Optimal   at the root in bytes; in rounds where ranks have k - 1 ports.
/// Source    M. Wilkins, H. Wang, P. Liu, B. Pham, Y. Guo, R. Thakur, P. Dinda, N. Hardavellas, Generalized Collective
///           Algorithms for the Exascale Era, CLUSTER, 2023, §3: of the gather.

#include <algorithm>

#include "algorithms/digits.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_k_nomial(Script& me, const Problem& problem) {
  const int p = me.size();
  const Digits digits(p, me.radix_for(p));
  const int v = modulo(me.rank() - problem.root, p);
  const auto rank_of = [&](int u) { return (u + problem.root) % p; };
  const Buffer kept = v == 0 ? Buffer::input : Buffer::scratch;

  int weight = digits.top();
  if (v == 0) {
    me.copy(me.output(), me.input(me.rank()));
  } else {
    weight = digits.lowest(v);
    Message group{me.output()};
    if (const int others = std::min(weight, p - v) - 1; others > 0) {
      for (const Slice& slice : me.blocks(kept, me.rank() + 1, others)) group.push_back(slice);
    }
    me.receive(group, rank_of(v - digits.digit(v, weight) * weight));
    me.wait();
    weight /= digits.base();
  }
  for (; weight > 0; weight /= digits.base()) {
    for (int value = digits.values(weight); value > 0; --value) {
      const int head = v + value * weight;
      if (head < p) me.send(me.blocks(kept, rank_of(head), std::min(weight, p - head)), rank_of(head));
    }
    me.wait();
  }
  me.wait();
}

Claims claims_k_nomial(const Problem& problem, const Parameters& parameters) {
  const int p = problem.ranks;
  const Digits digits(p, parameters.radix_for(p));
  Claims claims{.rounds = digits.all_values(), .messages = p - 1};
  for (int v = 1; v < p; ++v) claims.elements += digits.nonzero(v) * problem.block_count((v + problem.root) % p);
  return claims;
}

}  // namespace

const Algorithm scatter_k_nomial{
    .collective = Collective::scatter,
    .name = "k-nomial",
    .aliases = {"knomial"},
    .summary = "Groups and their data are cut in k in each step, along a tree of radix k.",
    .when = "Short blocks over several nodes whose ranks have several messages under way at once.",
    .source = "M. Wilkins et al., Generalized Collective Algorithms for the Exascale Era, 2023, §3",
    .for_several_nodes = true,
    .record = record_k_nomial,
    .claims = claims_k_nomial,
};

}  // namespace tutti::algorithms
