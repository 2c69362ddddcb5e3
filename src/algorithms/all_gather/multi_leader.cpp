/// @file
/// All-gather by many leaders a node: Bruck's all-gather among the ranks of the same place in their nodes, then all of
/// what each has is gathered on every node.
///
///     0 <--> 3, 1 <--> 4, 2 <--> 5        then    all to all in 0 .. 2 and in 3 .. 5
///
/// A node has as many leaders as the smallest node has ranks; they first gather the blocks of as many runs of its
/// ranks.
///
/// Needs     any p >= 1, any block sizes, any nodes. On one node it is linear.cpp.
/// Buffers   `output` throughout: blocks lie at their places from the start. No scratch.
/// Traffic   every block goes to each other node once, and there to each rank once; on nodes of s ranks s n ceil(log2
///           n) messages between the n nodes.
/// Time      ts ceil(log2 n) + tw m (n - 1) with the outside's constants, and (s - 1)(ts + tw m n) with the inside's.
/// Optimal   in bytes inside nodes and between them, which all ranks of a node share evenly.
/// Source    K. Kandalla, H. Subramoni, G. Santhanaraman, M. Koop, D. K. Panda, Designing multi-leader-based allgather
///           algorithms for multi-core clusters, IPDPS workshops, 2009.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_gather_multi_leader{
    .collective = Collective::all_gather,
    .name = "multi-leader",
    .aliases = {"multi-lane"},
    .summary = "Bruck's all-gather among ranks of the same place in their nodes, then all of it to all on every node.",
    .when = "Long blocks over several nodes: each crosses every other node's link once.",
    .source =
        "K. Kandalla, H. Subramoni, G. Santhanaraman, M. Koop, D. K. Panda, Designing multi-leader-based allgather "
        "algorithms for multi-core clusters, 2009",
    .for_several_nodes = true,
    .record = hierarchical({gather_linear, all_gather_linear}, all_gather_bruck),
    .claims = hierarchical_claims<gather_linear, all_gather_linear, all_gather_bruck>,
};

}  // namespace tutti::algorithms
