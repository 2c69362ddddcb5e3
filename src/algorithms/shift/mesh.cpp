/// @file
/// Shift on a mesh: along the rows, a compensating step, along the columns.
///
/// On a mesh of c columns write q = a c + b with 0 <= b < c. All rows shift by b. The blocks that went past the end of
/// their row belong one row further down: a compensating step takes the columns where they are, the first b, down by
/// one. Then all columns shift by a. Each shift takes the shorter way round its line; and where q > p/2 the ranks are
/// numbered from the last, which turns the shift into one by p - q. With more dimensions the same goes on: the blocks
/// that went past the end of a dimension take one more step in the next slower one.
///
///     0 1 2 3    row shift   3 0 1 2    compensating   f 0 1 2    column shift   b c d e
///     4 5 6 7    by b = 1    7 4 5 6    step down      3 4 5 6    by a = 1       f 0 1 2
///     8 9 a b    ------->    b 8 9 a    ---------->    7 8 9 a    ---------->    3 4 5 6        p = 16, q = 5:
///     c d e f                f c d e                   b c d e                   7 8 9 a        who holds whose block
///
/// Needs     any p >= 1, any distance, any grid: me.grid_for(p).
/// Buffers   `input`, sent whole; `output`, received whole; two blocks of scratch at most; a copy where q is a multiple
///           of p.
/// Traffic   one block a step and rank; in compensating steps only from the columns concerned.
/// Time      min(b, c - b) + [b > 0] + min(a, p/c - a) steps of ts + m tw, also store-and-forward on a mesh that wraps
///           around; at most (sqrt p + 1)(ts + m tw) on a square one.
/// Optimal   up to the compensating step on a mesh of one-port ranks, where a block crosses one link a step.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.6.1.

#include <algorithm>

#include "algorithms/shift/hops.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/record/phases.hpp"

namespace tutti::algorithms {
namespace {

// The part of a shift by q that runs along one dimension of a grid. What the faster dimensions shift is q's part below
// this dimension's stride.
struct DimensionShift {
  DimensionShift(const Shape& grid, int dimension, int q)
      : stride(grid.stride(dimension)),
        extent(grid.extent(dimension)),
        below(q % stride),
        digit(q / stride % extent),
        direction(digit > extent / 2 ? -1 : 1),
        steps(std::min(digit, extent - digit)) {}

  // Whether blocks have gone past the end of the faster dimensions and must make up for it along this one.
  bool compensates() const { return below > 0 && extent > 1; }

  // Moves rank v by `by` along the dimension, around its end.
  int moved(int v, int by) const {
    const int coordinate = v / stride % extent;
    return v + (modulo(coordinate + by, extent) - coordinate) * stride;
  }

  // Whose block rank v holds when the blocks have gone `by` along this dimension. Its coordinates in the faster ones
  // are shifted already: it has gone past their end where they are less than what was added.
  int origin(int v, bool compensated, int by) const {
    const int low = v % stride;
    const bool past_end = low < below;
    const int origin_low = low - below + (past_end ? stride : 0);
    return moved(v - low + origin_low, -by - (compensated && past_end ? 1 : 0));
  }

  int stride;
  int extent;
  int below;
  int digit;
  int direction;
  int steps;
};

void record_mesh(Script& me, const Problem& problem) {
  const Shape grid = me.grid_for(me.size());
  const ShiftNumbering number = shorter_way(me.size(), distance_of(problem));
  const int q = number.distance(distance_of(problem));
  const int v = number(me.rank());

  std::vector<ShiftHop> hops;
  for (int dimension = grid.dimensions(); dimension-- > 0;) {
    const DimensionShift part(grid, dimension, q);
    const auto hop = [&](int step, int by, std::string_view phase) {
      hops.push_back({.to = number(part.moved(v, step)),
                      .from = number(part.moved(v, -step)),
                      .origin = number(part.origin(v, part.compensates(), by)),
                      .phase = phase});
    };
    if (part.compensates() && v % part.stride < part.below) hop(1, 0, "compensate");
    for (int step = 1; step <= part.steps; ++step)
      hop(part.direction, step * part.direction, phase_along(grid, dimension));
  }
  follow(me, problem, hops);
}

Claims claims_mesh(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  const ShiftNumbering number = shorter_way(problem.ranks, distance_of(problem));
  const int q = number.distance(distance_of(problem));
  const std::int64_t p = problem.ranks;
  const std::int64_t total = all_blocks(problem).total();

  Claims claims;
  for (int dimension = grid.dimensions(); dimension-- > 0;) {
    const DimensionShift part(grid, dimension, q);
    claims.rounds += part.steps;
    claims.messages += p * part.steps;
    claims.elements += total * part.steps;
    if (!part.compensates()) continue;
    claims.rounds += 1;
    claims.messages += p / part.stride * part.below;
    for (int v = 0; v < problem.ranks; ++v) {
      if (v % part.stride >= part.stride - part.below) claims.elements += problem.block_count(number(v));
    }
  }
  return claims;
}

}  // namespace

const Algorithm shift_mesh{
    .collective = Collective::shift,
    .name = "mesh",
    .summary = "All rows shift, blocks that went past their row's end step down, all columns shift.",
    .when = "On a mesh or torus where only neighbours are linked.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.6.1",
    .record = record_mesh,
    .claims = claims_mesh,
};

}  // namespace tutti::algorithms
