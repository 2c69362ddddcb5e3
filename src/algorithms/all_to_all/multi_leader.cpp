/// @file
/// All-to-all by many leaders a node: what goes to other nodes is first handed to the rank of the same place in its own
/// node as the destination has in its, so that one message goes from each rank to each other node.
///
///     0 --{for 3}--> 0, 0 --{for 4}--> 1, 0 --{for 5}--> 2        then    0 <--> 3, 1 <--> 4, 2 <--> 5
///
/// A node has as many leaders as the smallest node has ranks; a leader stands for a run of its node's ranks, and deals
/// out what has come for them.
///
/// Needs     any p >= 1, any counts, any nodes. On one node it is linear.cpp.
/// Buffers   `input` to `output`; at leaders scratch for what their node sends to other nodes' teams, and for what has
///           come for their own. No block is copied.
/// Traffic   between n nodes of s ranks s n (n - 1) messages, s times fewer than without nodes, each of s blocks;
///           inside them n s (s - 1) of n blocks.
/// Time      (n - 1)(ts + s m tw) with the outside's constants and (s - 1)(ts + n m tw) with the inside's.
/// Optimal   in bytes between nodes, which all ranks of a node share evenly.
/// Source    J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER,
///           2020.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_to_all_multi_leader{
    .collective = Collective::all_to_all,
    .name = "multi-leader",
    .aliases = {"hierarchical", "multi-lane"},
    .summary = "Blocks for other nodes are handed to the rank of the destination's place, which exchanges them.",
    .when = "Short and middle blocks over several nodes: s times fewer messages between nodes of s ranks.",
    .source = "J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, 2020",
    .for_several_nodes = true,
    .record = hierarchical({all_to_all_linear, scatter_linear}, all_to_all_pairwise_modular),
    .claims = hierarchical_claims<all_to_all_linear, scatter_linear, all_to_all_pairwise_modular>,
};

}  // namespace tutti::algorithms
