/// @file
/// Shift on a hypercube in which the ranks form a ring by the Gray code.
///
/// The schedule speaks of ranks, and a shift by q takes rank i's block to rank (i + q) mod p as always. The hypercube
/// lies beneath: rank i is the node with the label gray(i) = i XOR floor(i / 2), so that neighbours on the ring are
/// neighbours on the hypercube. (Where node labels are the ranks themselves, see direct.cpp.)
///
/// Write q as a sum of distinct powers of two; each is a phase. A shift by 1 is one step to a neighbour. A shift by
/// 2^i, i >= 1, takes a block across two links: adding 2^i to x changes bits i .. j of x, so bits i - 1 and j of
/// gray(x). The first step flips bit i - 1, the second bit j. In terms of ranks, the stop between is x XOR (2^i - 1),
/// the mirror image of x within its group of 2^i ranks. All ranks do so at once, each holding one block at any time.
/// Where a shift by p - q takes fewer steps, the ranks are numbered from the last, which flips the same bit of all
/// labels.
///
///     q = 4 (i = 2)    0 -> 3 -> 4    1 -> 2 -> 5    2 -> 1 -> 6    3 -> 0 -> 7        p = 8, q = 5 = 4 + 1:
///                      4 -> 7 -> 0    5 -> 6 -> 1    6 -> 5 -> 2    7 -> 4 -> 3        three steps
///     q = 1            0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
///
/// Needs     p a power of two; any distance.
/// Buffers   `input`, sent whole; `output`, received whole; two blocks of scratch at most; a copy where q is a multiple
///           of p.
/// Traffic   p messages and p m bytes a step.
/// Time      s (ts + m tw), also store-and-forward on a hypercube numbered by the Gray code, where s counts 1 for the
///           power 1 in q and 2 for every other; at most (2 log2 p - 1)(ts + m tw).
/// Optimal   up to a factor 2: a block goes up to log2 p links. With cut-through routing see direct.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.6.2.

#include <bit>

#include "algorithms/shift/hops.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

int steps_for(int q) { return 2 * std::popcount(static_cast<unsigned>(q >> 1)) + (q & 1); }

// The way round with fewer steps; the one that the problem names where both take the same.
ShiftNumbering quicker_way(int p, int q) { return {.ranks = p, .reversed = steps_for(p - q) < steps_for(q)}; }

void record_gray_code(Script& me, const Problem& problem) {
  const int p = me.size();
  const ShiftNumbering number = quicker_way(p, distance_of(problem));
  const int q = number.distance(distance_of(problem));
  const int v = number(me.rank());

  std::vector<ShiftHop> hops;
  int done = 0;  // distance that the blocks have come along the ring
  for (int power = floor_power_of_two(p); power > 0; power /= 2) {
    if ((q & power) == 0) continue;
    const int mirror = power - 1;
    if (power > 1) {
      hops.push_back(
          {.to = number(v ^ mirror), .from = number(v ^ mirror), .origin = number(modulo((v ^ mirror) - done, p))});
    }
    done += power;
    hops.push_back({.to = number(((v ^ mirror) + power) % p),
                    .from = number(modulo(v - power, p) ^ mirror),
                    .origin = number(modulo(v - done, p))});
  }
  follow(me, problem, hops);
}

Claims claims_gray_code(const Problem& problem) {
  const int q = distance_of(problem);
  const std::int64_t steps = steps_for(quicker_way(problem.ranks, q).distance(q));
  return {.rounds = steps, .messages = problem.ranks * steps, .elements = all_blocks(problem).total() * steps};
}

}  // namespace

const Algorithm shift_gray_code{
    .collective = Collective::shift,
    .name = "gray-code",
    .aliases = {"hypercube"},
    .summary = "The distance as a sum of powers of two, each crossed in one or two hypercube links.",
    .when = "On a store-and-forward hypercube in which the ranks form a ring by the Gray code.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.6.2",
    .needs = {Need::power_of_two_ranks},
    .record = record_gray_code,
    .claims = claims_gray_code,
};

}  // namespace tutti::algorithms
