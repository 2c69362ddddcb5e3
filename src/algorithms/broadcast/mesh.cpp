/// @file
/// Broadcast on a mesh: both ways along the root's row, then along all columns at once.
///
///     0 -r1-> 1 -r2-> 2        3 x 4 mesh with wrap-around links, root 0; 0 -r2-> 3
///     |       |       |        columns in rounds 3 and 4
///     v       v       v
///
/// Needs     any p >= 1, any root; the grid is the problem's or the most nearly square one (1 x p for a prime p).
/// Buffers   `message`; no scratch.
/// Traffic   p - 1 messages, (p - 1) m bytes, each over one link of the mesh.
/// Time      the sum over dimensions of ceil(extent/2)(ts + m tw): 2 ceil(sqrt(p)/2)(ts + m tw) on a square mesh.
/// Optimal   in rounds within one for each odd extent: the farthest rank is that many links away.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1.2.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {
namespace {

Claims claims_mesh(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  const std::int64_t others = problem.ranks - 1;
  Claims claims{.messages = others, .elements = others * problem.count};
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
    claims.rounds += broadcast_ring.claims({.ranks = grid.extent(dimension)}).rounds;
  }
  return claims;
}

}  // namespace

const Algorithm broadcast_mesh{
    .collective = Collective::broadcast,
    .name = "mesh",
    .aliases = {"torus"},
    .summary =
        "The ring's broadcast along the root's row, then along every column at once; likewise in more dimensions.",
    .when = "Meshes and tori that store and forward.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.1.2",
    .record = along_dimensions(broadcast_ring),
    .claims = claims_mesh,
};

}  // namespace tutti::algorithms
