#include "textbook/figures.hpp"

#include "algorithms/table.hpp"
#include "topology/embedding.hpp"
#include "topology/formats/named.hpp"

namespace tutti::textbook {
namespace {

using namespace algorithms;

// A whole message has an element a rank, a block one element; shifts go as far as the textbook's.
Figure figure(std::string_view name, std::string_view caption, std::vector<std::string_view> rows,
              const Algorithm& algorithm, TopologyPtr topology, const Shape& grid = {}) {
  Problem problem{.collective = algorithm.collective, .ranks = topology->ranks()};
  problem.count = has_blocks(problem.collective) ? 1 : problem.ranks;
  if (problem.collective == Collective::shift) problem.distance = 5;
  return {name, caption, std::move(rows), {algorithm, {.grid = grid}}, problem, std::move(topology)};
}

std::vector<Figure> all_figures() {
  const TopologyPtr ring = topology_named("ring:8");
  const TopologyPtr cube = topology_named("hypercube:3");
  const TopologyPtr nine = topology_named("torus:3x3");
  const TopologyPtr sixteen = topology_named("torus:4x4");
  const Shape three{3, 3};
  const Shape four{4, 4};
  return {
      figure("broadcast-ring", "broadcast on a ring of 8, both ways from the source", {"broadcast.ring.sf"},
             broadcast_ring, ring),
      figure("broadcast-ring-doubling", "broadcast on a ring of 8 by recursive doubling", {"broadcast.ring.ct"},
             broadcast_binomial, ring),
      figure("broadcast-mesh", "broadcast on a mesh of 16, along the row, then the columns", {"broadcast.mesh.sf"},
             broadcast_mesh, sixteen, four),
      figure("broadcast-mesh-doubling", "broadcast on a mesh of 16 by recursive doubling", {"broadcast.mesh.ct"},
             broadcast_binomial, sixteen, four),
      figure("broadcast-hypercube", "broadcast on a hypercube of 8", {"broadcast.hypercube.sf"}, broadcast_binomial,
             cube),
      figure("reduce-ring", "reduction on a ring of 8, both ways to the root", {"reduce.ring.sf"}, reduce_ring, ring),
      figure("reduce-ring-doubling", "reduction on a ring of 8, the dual of recursive doubling", {"reduce.ring.ct"},
             reduce_binomial, ring),
      figure("all-gather-ring", "all-gather on a ring of 8", {"all-gather.ring.sf"}, all_gather_ring, ring),
      figure("all-gather-mesh", "all-gather on a 3 x 3 mesh", {"all-gather.mesh.sf"}, all_gather_mesh, nine, three),
      figure("all-gather-hypercube", "all-gather on a hypercube of 8", {"all-gather.hypercube.sf"},
             all_gather_recursive_doubling, cube),
      figure("all-reduce-ring", "ring all-reduce of four workers", {"all-reduce.ring.sf"}, all_reduce_ring,
             topology_named("ring:4")),
      figure("scan-hypercube", "prefix sums on a hypercube of 8", {"scan.hypercube.sf"}, scan_recursive_doubling, cube),
      figure("scatter-hypercube", "scatter on a hypercube of 8", {"scatter.hypercube.sf"}, scatter_binomial, cube),
      figure("all-to-all-ring", "all-to-all on a ring of 6", {"all-to-all.ring.sf"}, all_to_all_ring,
             topology_named("ring:6")),
      figure("all-to-all-mesh", "all-to-all on a 3 x 3 mesh", {"all-to-all.mesh.sf"}, all_to_all_mesh, nine, three),
      figure("all-to-all-hypercube", "all-to-all on a hypercube of 8, half of all blocks a step",
             {"all-to-all.hypercube.sf"}, all_to_all_hypercube, cube),
      figure("all-to-all-pairwise", "all-to-all on a hypercube of 8, a block a step along E-cube routes",
             {"all-to-all.pairwise.ct"}, all_to_all_pairwise, cube),
      figure("shift-mesh", "circular 5-shift on a 4 x 4 mesh", {"shift.mesh.sf"}, shift_mesh, sixteen, four),
      figure("shift-hypercube", "circular 5-shift on a hypercube of 8 numbered by a Gray code", {"shift.hypercube.sf"},
             shift_gray_code, embedded(cube, ring_in_hypercube(3))),
      figure("shift-hypercube-ecube", "circular 5-shift on a hypercube of 8 along E-cube routes",
             {"shift.hypercube-ecube.ct"}, shift_direct, cube),
  };
}

}  // namespace

std::span<const Figure> figures() {
  static const std::vector<Figure> all = all_figures();
  return all;
}

}  // namespace tutti::textbook
