/// @file
/// All-gather on a mesh or torus by parallel aggregated trees: within every row, then, with the row's blocks as one,
/// within every column; likewise in more dimensions.
///
/// Within a line the farthest hop comes first, when there is least to send, so that long ways are gone with few
/// blocks, and in each dimension in a number of rounds that is logarithmic in its extent.
///
/// Needs     any p >= 1, any block sizes, any grid: me.grid_for(p), of any number of dimensions; a
///           radix as in pat.cpp, in each line at most its extent.
/// Buffers   as in pat.cpp.
/// Traffic   p messages a round; every block p - 1 times.
/// Time      ts (sum over extents e > 1 of log2 A + 2^ceil(log2 e)/A - 1) + tw m (p - 1) where ranks are fully
///           connected; A as in pat.cpp, for each e its own.
/// Optimal   in bytes; in rounds within the number of dimensions where no extent is above twice the radix. On tori it
///           loads links less than bruck, and has fewer rounds than mesh.
/// Source    S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025, along the
///           dimensions of A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed.,
///           2003, §4.2.2.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {
namespace {

Claims claims_mesh_pat(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  Claims claims{.elements = (problem.ranks - 1) * all_blocks(problem).total()};
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
    const Problem line{.collective = Collective::all_gather, .ranks = grid.extent(dimension), .count = 1};
    claims.rounds += all_gather_pat.claims(line, parameters).rounds;
  }
  claims.messages = problem.ranks * claims.rounds;
  return claims;
}

}  // namespace

const Algorithm all_gather_mesh_pat{
    .collective = Collective::all_gather,
    .name = "mesh-pat",
    .summary =
        "Parallel aggregated trees in every row, then of whole rows in every column; likewise in more dimensions.",
    .when = "Short and middle blocks on tori: few rounds, and long ways for few blocks alone.",
    .source = "S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025",
    .for_several_nodes = true,
    .grid_symmetry = &Parameters::grid_for,
    .record = along_dimensions(all_gather_pat),
    .claims = claims_mesh_pat,
};

}  // namespace tutti::algorithms
