/// @file
/// All-reduce by swings: a reduce-scatter, then an all-gather, with partners that are near on a ring.
///
/// In swing s a rank meets its partner as in all_gather/swing.cpp. Swings 0, 1, … halve what each rank combines, the
/// nearest partner first; swings d - 1, d - 2, … double what it holds of the result. Which part a rank holds between
/// the two is free. With swing_piece(), what a rank holds before every swing is one run of parts, so that a message
/// is one slice; in a reduce-scatter or an all-gather, where rank r holds block r, it is a list of scattered blocks.
///
///     p = 8     rank    0  1  2  3  4  5  6  7
///               part    0  4  6  1  3  7  5  2
///
/// Needs     p = 2^d; a commutative operator, because a rank's partners lie to both of its sides.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   2 p d messages, 2 (p - 1) m bytes.
/// Time      2 ts d + 2 m tw (p - 1)/p where ranks are fully connected.
/// Optimal   in bytes for each rank and, up to a factor 2, in rounds.
/// Source    D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce,
///           NSDI, 2024, §3.

#include "algorithms/bine.hpp"
#include "algorithms/swing_pieces.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {
namespace {

void record_swing(Script& me, const Problem&) {
  const int p = me.size();
  const int swings = ceil_log2(p);
  const int piece = swing_piece(me.rank(), p);
  if (p == 1) me.copy(me.output(), me.input());

  // The n parts that this rank holds after swing s of the reduce-scatter, and the n that its partner holds.
  const auto mine = [&](Buffer buffer, int n) { return me.blocks(buffer, piece / n * n, n); };
  const auto others = [&](Buffer buffer, int n) { return me.blocks(buffer, (piece / n ^ 1) * n, n); };

  me.phase("reduce-scatter");
  for (int s = 0, n = p / 2; s < swings; ++s, n /= 2) {
    const int partner = bine_partner(me.rank(), s, p);
    const Buffer sums = s == 0 ? me.input().buffer : Buffer::output;
    me.send(others(sums, n), partner);
    me.receive_reduce(mine(Buffer::output, n), mine(sums, n), partner);
    me.wait();
  }
  me.phase("all-gather");
  for (int s = swings - 1, n = 1; s >= 0; --s, n *= 2) {
    const int partner = bine_partner(me.rank(), s, p);
    me.send(mine(Buffer::output, n), partner);
    me.receive(others(Buffer::output, n), partner);
    me.wait();
  }
}

}  // namespace

const Algorithm all_reduce_swing{
    .collective = Collective::all_reduce,
    .name = "swing",
    .summary = "A reduce-scatter and an all-gather with partners that swing to the right and to the left.",
    .when =
        "Messages of middle and great length on rings where p is a power of two; swing-multi-port takes a torus's "
        "grid.",
    .source =
        "D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce, 2024",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::reflection,
    .record = record_swing,
    .claims = then_claims<reduce_scatter_swing, all_gather_swing>,
};

}  // namespace tutti::algorithms
