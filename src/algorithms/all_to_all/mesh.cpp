/// @file
/// All-to-all on a mesh: within the rows, blocks grouped by the columns of their destinations, then within the columns.
///
/// In each phase the ring algorithm of ring.cpp exchanges groups of blocks. {xs,ys} are the blocks from all x to all y:
///
///     0 1 2    rows       0 --{0,147} {0,258}--> 1 --{0,258}--> 2            then rank 1 holds {012,147}
///     3 4 5    columns    1 --{012,4} {012,7}--> 4 --{012,7}--> 7            then rank 4 holds {012345678,4}
///     6 7 8                                                                  p = 9
///
/// Needs     any p >= 1, any counts, any grid: me.grid_for(p), of any number of dimensions.
/// Buffers   blocks go from `input` to `output` by way of scratch, where they lie between the phases.
/// Traffic   p (r + c - 2) messages on r rows and c columns; every block goes as many links as its destination is away.
/// Time      ts (r + c - 2) + m tw p (r + c - 2)/2, also store-and-forward on a mesh that wraps around; on a square one
///           (2 ts + m tw p)(sqrt p - 1).
/// Optimal   on a mesh whose links carry messages one way, all of which are in use throughout their phase.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.2.

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {
namespace {

Claims claims_mesh(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  std::int64_t steps = 0;
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) steps += grid.extent(dimension) - 1;
  const auto links = [&](int origin, int destination) {
    int sum = 0;
    for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
      sum +=
          modulo(grid.coordinate(destination, dimension) - grid.coordinate(origin, dimension), grid.extent(dimension));
    }
    return sum;
  };
  return {.rounds = steps, .messages = problem.ranks * steps, .elements = elements_carried(problem, links)};
}

}  // namespace

const Algorithm all_to_all_mesh{
    .collective = Collective::all_to_all,
    .name = "mesh",
    .summary = "The ring algorithm within the rows, on blocks grouped by column, then within the columns.",
    .when = "On a mesh or torus, or for blocks too small for pairwise and too large for bruck.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.5.2",
    .grid_symmetry = &Parameters::grid_for,
    .record = along_dimensions(all_to_all_ring),
    .claims = claims_mesh,
};

}  // namespace tutti::algorithms
