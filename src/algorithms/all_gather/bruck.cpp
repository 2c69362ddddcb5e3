/// @file
/// All-gather after Bruck: doubling for any number of ranks.
///
/// Before the round of distance s, rank r holds the s blocks r, r + 1, …, r + s - 1 (mod p). It sends them, or the
/// first p - s of them, to rank r - s and receives the blocks that follow its own from r + s.
///
/// The original collects blocks from position 0 on and rotates them at the end. Messages here are lists of slices, so
/// every block is received where it belongs: at most two slices a message, and no rotation.
///
/// Needs     any p >= 1, any block sizes.
/// Buffers   `input`, one block; `output`, p blocks. No scratch.
/// Traffic   p ceil(log2 p) messages; every block p - 1 times.
/// Time      ts ceil(log2 p) + tw m (p - 1).
/// Optimal   in rounds and in bytes, for every p.
/// Source    J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient Algorithms for All-to-All Communications
///           in Multiport Message-Passing Systems, IEEE Transactions on Parallel and Distributed Systems 8(11), 1997,
///           §4.

#include <algorithm>

#include "algorithms/all_gather/doubling.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

void record_bruck(Script& me, const Problem&) {
  const int p = me.size();
  me.copy(me.output(me.rank()), me.input());
  for (int held = 1; held < p; held *= 2) fetch_following(me, held, std::min(held, p - held));
}

}  // namespace

const Algorithm all_gather_bruck{
    .collective = Collective::all_gather,
    .name = "bruck",
    .aliases = {"dissemination"},
    .summary =
        "In the round of distance s, each rank fetches the s blocks that follow its own from rank r + s, and "
        "puts them where they belong, so that the source's rotation at the end is not needed.",
    .when = "Short blocks and any number of ranks.",
    .source =
        "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient Algorithms for All-to-All Communications "
        "in Multiport Message-Passing Systems, 1997, §4",
    .symmetry = RankSymmetry::Kind::rotation,
    .record = record_bruck,
    .claims = doubling_claims,
};

}  // namespace tutti::algorithms
