/// @file
/// Hops of shifts that go by way of other ranks: every rank holds one block at any time and passes it on.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schedule/record/script.hpp"

namespace tutti::algorithms {

/// One step of one rank: the block that it holds goes to `to`, and the block of rank `origin` arrives from `from`.
struct ShiftHop {
  int to = 0;
  int from = 0;
  int origin = 0;
  std::string_view phase = {};  ///< phase of the algorithm; empty: none of its own
};

/// The shift's distance in [0, p).
int distance_of(const Problem& problem);

/// The ranks numbered as they are, or from the last to the first, where a shift by q is one by p - q. Neighbours stay
/// neighbours on a ring, on a grid and on a hypercube numbered by a Gray code. Either numbering is its own inverse.
struct ShiftNumbering {
  int ranks = 1;
  bool reversed = false;

  int operator()(int rank) const { return reversed ? ranks - 1 - rank : rank; }
  /// The distance in this numbering of a shift by q, 0 <= q < p.
  int distance(int q) const { return reversed ? ranks - q : q; }
};

/// The numbering in which a shift by q, 0 <= q < p, goes at most half way round.
inline ShiftNumbering shorter_way(int ranks, int q) { return {.ranks = ranks, .reversed = q > ranks / 2}; }

/// Records the hops of this rank, one a step: the first leaves the input, the last arrives in the output, others stop
/// in scratch, in two places by turns. Without hops the block stays here and is copied.
void follow(Script& me, const Problem& problem, const std::vector<ShiftHop>& hops);

}  // namespace tutti::algorithms
