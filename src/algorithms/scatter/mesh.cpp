/// @file
/// Scatter on a mesh: the blocks of whole rows down the root's column, then along all rows at once, each by halving.
///
/// Needs     any p >= 1, any root, any block sizes; the grid is the problem's or the most nearly square one.
/// Buffers   as in binomial.cpp.
/// Traffic   p - 1 messages; a block travels as many links as the coordinates of its rank, taken from the root, have
///           bits set.
/// Time      ts log2 p + tw m (p - 1) for extents that are powers of two.
/// Optimal   in rounds for such extents and, at the root, in bytes.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.4.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "algorithms/table.hpp"
#include "algorithms/virtual_ranks.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {
namespace {

// Returns how many bits are set in the numbers along `line` of the ranks [0, n) together: coordinates repeat in turns
// of `stride` ranks each.
std::int64_t bits_before(const VirtualRanks& line, std::int64_t n, int stride, int extent) {
  const std::int64_t turn = std::int64_t{stride} * extent;
  const std::int64_t whole = n % turn / stride;  // coordinates of the last turn that all of their ranks have
  const std::int64_t last = line.bits_before(std::min<std::int64_t>(whole + 1, extent)) - line.bits_before(whole);
  return n / turn * stride * line.bits_before(extent) + stride * line.bits_before(whole) + n % stride * last;
}

Claims claims_mesh(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  Claims claims{.messages = problem.ranks - 1};
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
    const int extent = grid.extent(dimension);
    const VirtualRanks line({.ranks = extent, .root = grid.coordinate(problem.root, dimension)});
    claims.rounds += ceil_log2(extent);
    if (problem.counts.empty()) {
      const auto bits = [&](std::int64_t n) { return bits_before(line, n, grid.stride(dimension), extent); };
      claims.elements += problem.count * bits(problem.ranks) + bits(problem.extra);
      continue;
    }
    for (int rank = 0; rank < problem.ranks; ++rank) {
      const int away = line.number_of(grid.coordinate(rank, dimension));
      claims.elements += std::popcount(static_cast<unsigned>(away)) * problem.block_count(rank);
    }
  }
  return claims;
}

}  // namespace

const Algorithm scatter_mesh{
    .collective = Collective::scatter,
    .name = "mesh",
    .aliases = {"torus"},
    .summary = "The binomial scatter down the root's column for whole rows, then along every row at once.",
    .when = "Meshes and tori; as good as the binomial tree where extents are powers of two.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.4",
    .record = along_dimensions(scatter_binomial),
    .claims = claims_mesh,
};

}  // namespace tutti::algorithms
