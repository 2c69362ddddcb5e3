/// @file
/// Reduce by many leaders a node: every node combines its ranks' inputs by parts, each of which one rank combines with
/// those of other nodes; the parts of the result are gathered on the root's node.
///
///     all parts to all in 0 .. 2 and in 3 .. 5        then    3 --> 0, 4 --> 1, 5 --> 2        then    1, 2 --> 0
///
/// Needs     any p >= 1, any root, any nodes; a commutative operator, because parts are combined round a ring of nodes:
///           see reduce.cpp, reduce-scatter-gather.
/// Buffers   `input`, read where it lies; a part of m/s elements, on nodes of s ranks, in the root's output and in
///           scratch elsewhere, and as much again for what comes from other nodes.
/// Traffic   between n nodes at most 2 (n - 1) m bytes; of nodes of s ranks each rank sends m/s parts of them. Inside a
///           node (s - 1) m bytes, on the root's m (s - 1)/s more.
/// Time      about 2 m tw/s with the outside's constants and 2 m tw with the inside's, and m tc for the combinations.
/// Optimal   within a factor 2 in bytes between nodes, which all ranks of a node share evenly.
/// Source    J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER,
///           2020.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm reduce_multi_leader{
    .collective = Collective::reduce,
    .name = "multi-leader",
    .aliases = {"multi-lane"},
    .summary = "Every node combines its inputs by parts, each of which one of its ranks combines with other nodes'.",
    .when = "Long messages over several nodes whose ranks can all send to others at once.",
    .source = "J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, 2020",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .record = hierarchical({reduce_scatter_direct, gather_linear}, reduce_scatter_gather),
    .claims = hierarchical_claims<reduce_scatter_direct, gather_linear, reduce_scatter_gather>,
};

}  // namespace tutti::algorithms
