/// @file
/// Parts of a message that swings leave with ranks, numbered such that what a rank holds is one run of them.
#pragma once

#include "algorithms/bine.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {

/// Whether swings after `s` lead from `from` to `to`. Each goes rho(s + 1) far modulo 2^(s + 2), forth and back by
/// turns.
inline bool later_swings_lead(int from, int to, int s, int p) {
  if (s + 1 == ceil_log2(p)) return from == to;
  const int reach = 1 << (s + 2);
  return (from - to) % reach == 0 || (bine_partner(from, s + 1, p) - to) % reach == 0;
}

/// The part of the message that the rank holds between the halves. Bit d - 1 - s says whether swing s is on the way
/// from rank 0 to the rank: partners of swing s differ in that bit and agree in all higher ones. Turns by swing
/// (rank_symmetry.hpp) number parts so, and prove one rank for all.
inline int swing_piece(int rank, int p) {
  int piece = 0;
  int at = 0;
  for (int s = 0; s < ceil_log2(p); ++s) {
    const bool swings = !later_swings_lead(at, rank, s, p);
    if (swings) at = bine_partner(at, s, p);
    piece = 2 * piece + (swings ? 1 : 0);
  }
  return piece;
}

}  // namespace tutti::algorithms
