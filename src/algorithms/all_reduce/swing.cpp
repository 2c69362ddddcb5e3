/// @file
/// All-reduce by swings: a reduce-scatter, then an all-gather, with partners that are near on a ring or a torus.
///
/// In swing s a rank meets its partner as in all_gather/swing.cpp. Swings 0, 1, … halve what each rank combines, the
/// nearest partner first; swings d - 1, d - 2, … double what it holds of the result. Which part a rank holds between
/// the two is free. With piece_of() below, what a rank holds before every swing is one run of parts, so that a message
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

#include "algorithms/all_gather/all_gather.hpp"
#include "algorithms/all_reduce/all_reduce.hpp"
#include "algorithms/bine.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "base/integers.hpp"
#include "schedule/combinators.hpp"

namespace tutti::algorithms {
namespace {

// Whether swings after `s` lead from `from` to `to`. Each goes rho(s + 1) far modulo 2^(s + 2), forth and back by
// turns.
bool later_swings_lead(int from, int to, int s, int p) {
  if (s + 1 == ceil_log2(p)) return from == to;
  const int reach = 1 << (s + 2);
  return (from - to) % reach == 0 || (bine_partner(from, s + 1, p) - to) % reach == 0;
}

// The part of the message that the rank holds between the halves. Bit d - 1 - s says whether swing s is on the way from
// rank 0 to the rank: partners of swing s differ in that bit and agree in all higher ones. Turns by swing (turns.hpp)
// number parts so, and prove one rank for all.
int piece_of(int rank, int p) {
  int piece = 0;
  int at = 0;
  for (int s = 0; s < ceil_log2(p); ++s) {
    const bool swings = !later_swings_lead(at, rank, s, p);
    if (swings) at = bine_partner(at, s, p);
    piece = 2 * piece + (swings ? 1 : 0);
  }
  return piece;
}

void record(Script& me, const Problem&) {
  const int p = me.size();
  const int swings = ceil_log2(p);
  const int piece = piece_of(me.rank(), p);
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
    .when = "Messages of middle and great length on rings and tori where p is a power of two.",
    .source =
        "D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce, 2024",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .alike = Turns::Kind::reflection,
    .record = record,
    .claims =
        [](const Problem& problem, const Parameters& parameters) {
          return then_claims(reduce_scatter_swing, all_gather_swing, problem, parameters);
        },
};

}  // namespace tutti::algorithms
