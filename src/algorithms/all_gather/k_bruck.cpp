/// @file
/// All-gather by Bruck's rounds with a radix: what each rank holds grows k times in a step.
///
/// Before the step of weight w, a power of k, rank r holds the w blocks r, r + 1, …, r + w - 1 (mod p). It sends them
/// to the ranks w, 2 w, …, (k - 1) w below it, as far as these lack them.
///
///     p = 9, k = 3    step 1    r - 1, r - 2 <-- r    one block
///                     step 2    r - 3, r - 6 <-- r    three blocks
///
/// Needs     any p >= 1, any block sizes; k is me.radix_for(p).
/// Buffers   `input`, one block; `output`, p blocks. No scratch.
/// Traffic   p ((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1) messages, L = ceil(log_k p); every block p - 1 times.
/// Time      ts ((L - 1)(k - 1) + ceil(p/k^(L-1)) - 1) + tw m (p - 1) on one-port ranks.
/// Optimal   in bytes; in rounds for k = 2, and where ranks have k - 1 ports.
/// Source    J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient Algorithms for All-to-All Communications
///           in Multiport Message-Passing Systems, IEEE Transactions on Parallel and Distributed Systems 8(11), 1997,
///           §4.

#include <algorithm>

#include "algorithms/all_gather/doubling.hpp"
#include "algorithms/digits.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_k_bruck(Script& me, const Problem&) {
  const int p = me.size();
  const Digits digits(p, me.radix_for(p));
  me.copy(me.output(me.rank()), me.input());
  for (int weight = 1; p > 1; weight *= digits.base()) {
    for (int value = 1; value <= digits.values(weight); ++value) {
      const int distance = value * weight;
      fetch(me, weight, distance, std::min(weight, p - distance));
    }
    me.wait();
    if (weight == digits.top()) break;
  }
}

Claims claims_k_bruck(const Problem& problem, const Parameters& parameters) {
  const std::int64_t p = problem.ranks;
  const std::int64_t rounds = Digits(problem.ranks, parameters.radix_for(problem.ranks)).all_values();
  return {.rounds = rounds, .messages = p * rounds, .elements = (p - 1) * all_blocks(problem).total()};
}

}  // namespace

const Algorithm all_gather_k_bruck{
    .collective = Collective::all_gather,
    .name = "k-bruck",
    .aliases = {"bruck-radix"},
    .summary = "In the step of weight w, a power of k, each rank fetches w blocks from k - 1 ranks w apart.",
    .when = "Short blocks over several nodes whose ranks have several messages under way at once.",
    .source =
        "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient Algorithms for All-to-All Communications "
        "in Multiport Message-Passing Systems, 1997, §4",
    .for_several_nodes = true,
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_k_bruck,
    .claims = claims_k_bruck,
};

}  // namespace tutti::algorithms
