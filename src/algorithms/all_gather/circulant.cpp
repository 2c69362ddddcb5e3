/// @file
/// All-gather on a circulant graph: Bruck's rounds with skips that halve the number of ranks.
///
/// Before the round of skip s_k, rank r holds the s_k blocks r, r + 1, …, r + s_k - 1 (mod p). It sends the first
/// s_(k+1) - s_k of them to rank r - s_k and receives the blocks that follow its own from r + s_k.
///
///     p = 11: skips 1, 2, 3, 6       messages of 1, 1, 3 and 5 blocks; bruck.cpp: 1, 2, 4 and 3
///
/// Needs     any p >= 1, any block sizes.
/// Buffers   `input`, one block; `output`, p blocks. No scratch.
/// Traffic   p ceil(log2 p) messages; every block p - 1 times.
/// Time      ts ceil(log2 p) + tw m (p - 1).
/// Optimal   in rounds and in bytes, for every p.
/// Source    J. L. Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, 2024, §2: of its reversal.

#include "algorithms/circulant.hpp"
#include "algorithms/all_gather/doubling.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_circulant(Script& me, const Problem&) {
  const Skips skips(me.size());
  me.copy(me.output(me.rank()), me.input());
  for (int k = 0; k < skips.rounds(); ++k) fetch_following(me, skips[k], skips[k + 1] - skips[k]);
}

}  // namespace

const Algorithm all_gather_circulant{
    .collective = Collective::all_gather,
    .name = "circulant",
    .summary = "Bruck's rounds, with skips that are halves of the number of ranks, rounded up.",
    .when = "As bruck; its reversal, for reductions, combines at most half of what is left in each round.",
    .source = "J. L. Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, 2024",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_circulant,
    .claims = doubling_claims,
};

}  // namespace tutti::algorithms
