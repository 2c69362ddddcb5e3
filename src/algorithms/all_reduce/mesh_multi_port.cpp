/// @file
/// All-reduce on a torus of n dimensions through all of its links at once: a reduce-scatter, then an all-gather, of 2 n
/// lanes each.
///
/// Needs     any p >= 1, any grid: me.grid_for(p), of any number of dimensions; a commutative operator,
///           since the sums begin at a different rank for every part.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   p times 4 n (sum over extents e of e - 1) messages, 2 (p - 1) m bytes, always to a neighbour.
/// Time      4 n ts (sum over extents e of e - 1) + 2 m tw (p - 1)/p on one-port ranks; the 2 n-th part of it on a
///           torus of equal extents whose ranks use all of their links at a time.
/// Optimal   in bytes for each rank, and on such a torus for each link.
/// Source    P. Sack, W. Gropp, Collective algorithms for multiported torus networks, ACM Transactions on Parallel
///           Computing 1(2), 2015, §4: the bucket algorithm.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_mesh_multi_port{
    .collective = Collective::all_reduce,
    .name = "mesh-multi-port",
    .aliases = {"bucket-multi-port"},
    .summary = "The mesh's all-reduce of parts of the message, one part for each link of a rank, all at once.",
    .when = "Long messages on tori of equal extents whose ranks use all of their links at a time.",
    .source = "P. Sack, W. Gropp, Collective algorithms for multiported torus networks, 2015, §4",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .grid_symmetry = &Parameters::grid_for,
    .record = then(reduce_scatter_mesh_multi_port, all_gather_mesh_multi_port),
    .claims = then_claims<reduce_scatter_mesh_multi_port, all_gather_mesh_multi_port>,
};

}  // namespace tutti::algorithms
