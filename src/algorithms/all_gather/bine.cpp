/// @file
/// All-gather along a bine butterfly: recursive doubling with partners to both sides, nearest first.
///
/// In round j each rank exchanges all that it holds with its bine partner (bine.hpp). What a rank holds are
/// neighbouring blocks (mod p), growing to both sides by turns: r + [0, 1], r + [-2, 1], r + [-2, 5], … for an even
/// rank r, mirrored for an odd one. swing.cpp has the same partners, farthest first, and scattered blocks.
///
///     p = 8     j = 0    0 = 1    2 = 3    4 = 5    6 = 7       one block
///               j = 1    0 = 7    1 = 2    3 = 4    5 = 6       two
///               j = 2    0 = 3    1 = 6    2 = 5    4 = 7       four
///
/// Needs     p = 2^d, any block sizes.
/// Buffers   `input`, one block; `output`, p blocks, of which a message is one run or two. No scratch.
/// Traffic   p d messages; every block p - 1 times.
/// Time      ts d + tw m (p - 1) where ranks are fully connected.
/// Optimal   in rounds and in bytes.
/// Source    D. De Sensi, S. Pasqualoni, L. Piarulli, T. Bonato, S. Ba, M. Turisini, J. Domke, T. Hoefler, Bine Trees:
///           Enhancing Collective Operations by Optimizing Communication Locality, SC, 2025, §4.

#include "algorithms/bine.hpp"
#include "algorithms/all_gather/doubling.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

void record_bine(Script& me, const Problem&) {
  const int p = me.size();
  me.copy(me.output(me.rank()), me.input());
  // An even rank r holds r + [low, low + n), an odd one r - [low, low + n).
  int low = 0;
  for (int j = 0, n = 1; n < p; ++j, n *= 2) {
    const int partner = bine_partner(me.rank(), j, p);
    const auto held = [&](int rank) {
      return me.blocks(Buffer::output, rank % 2 == 0 ? rank + low : rank - low - n + 1, n);
    };
    me.send(j == 0 ? Message{me.input()} : held(me.rank()), partner);
    me.receive(held(partner), partner);
    me.wait();
    if (j % 2 == 1) low -= n;
  }
}

}  // namespace

const Algorithm all_gather_bine{
    .collective = Collective::all_gather,
    .name = "bine",
    .aliases = {"binomial-negabinary"},
    .summary = "Recursive doubling with partners to both sides, a third as far away; blocks stay neighbours.",
    .when = "Short blocks on rings and tori, and where groups of near ranks share links to others.",
    .source =
        "D. De Sensi et al., Bine Trees: Enhancing Collective Operations by Optimizing Communication Locality, 2025",
    .needs = {Need::power_of_two_ranks},
    .for_several_nodes = true,
    .symmetry = RankSymmetry::Kind::reflection,
    .record = record_bine,
    .claims = doubling_claims,
};

}  // namespace tutti::algorithms
