/// @file
/// All-gather on a mesh: round the ring of every row, then, with the row's blocks as one, round the ring of every
/// column.
///
/// Needs     any p >= 1, any block sizes; the grid is the problem's or the most nearly square one.
/// Buffers   as in ring.cpp.
/// Traffic   p times the sum of (extent - 1) messages; every block p - 1 times.
/// Time      ts times the sum of (extent - 1), plus tw m (p - 1): 2 ts (sqrt(p) - 1) + tw m (p - 1) on a square mesh.
/// Optimal   in bytes.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.2.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {
namespace {

Claims claims_mesh(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  Claims claims{.elements = (problem.ranks - 1) * all_blocks(problem).total()};
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) claims.rounds += grid.extent(dimension) - 1;
  claims.messages = problem.ranks * claims.rounds;
  return claims;
}

}  // namespace

const Algorithm all_gather_mesh{
    .collective = Collective::all_gather,
    .name = "mesh",
    .aliases = {"torus"},
    .summary = "The ring's all-gather in every row, then of whole rows in every column; likewise in more dimensions.",
    .when = "Meshes and tori, and many ranks: about 2 sqrt(p) rounds instead of p.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.2.2",
    .grid_symmetry = &Parameters::grid_for,
    .record = along_dimensions(all_gather_ring),
    .claims = claims_mesh,
};

}  // namespace tutti::algorithms
