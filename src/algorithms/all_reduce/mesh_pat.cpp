/// @file
/// All-reduce on a mesh or torus by parallel aggregated trees: a reduce-scatter along the columns, then the rows, and
/// an all-gather back the same way.
///
/// Needs     any p >= 1, any grid: me.grid_for(p), of any number of dimensions; a radix as in
///           all_gather/mesh_pat.cpp; a commutative operator, since the sums begin at a different rank for every part.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   p messages a round; 2 (p - 1) m bytes.
/// Time      2 ts (sum over extents e > 1 of log2 A + 2^ceil(log2 e)/A - 1) + 2 m tw (p - 1)/p where ranks are fully
///           connected; A as in all_gather/pat.cpp.
/// Optimal   in bytes for each rank; fewer rounds than mesh.cpp, and less on a link at a time than circulant.cpp.
/// Source    S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025, both ways
///           along the dimensions.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_mesh_pat{
    .collective = Collective::all_reduce,
    .name = "mesh-pat",
    .summary = "A reduce-scatter by aggregated trees along the columns, then the rows, and an all-gather back.",
    .when = "Middle messages on tori, and many ranks.",
    .source = "S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations at scale, 2025",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .grid_symmetry = &Parameters::grid_for,
    .record = then(reduce_scatter_mesh_pat, all_gather_mesh_pat),
    .claims = then_claims<reduce_scatter_mesh_pat, all_gather_mesh_pat>,
};

}  // namespace tutti::algorithms
