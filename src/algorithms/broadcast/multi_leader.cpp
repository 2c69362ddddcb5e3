/// @file
/// Broadcast by many leaders a node: the root deals the message to the ranks of its node, each of which sends its part
/// to one rank of every other node; then the parts are gathered on every node.
///
///     0 --> 1, 2        then    0 --> 3, 1 --> 4, 2 --> 5        then    all parts to all in 0 .. 2 and in 3 .. 5
///
/// A part goes from node to node in parts again, round a ring: see scatter_all_gather.cpp.
///
/// Needs     any p >= 1, any root, any nodes: there are as many parts as the smallest has ranks. On one node it is
///           direct.cpp.
/// Buffers   `message` throughout: parts never leave their places. No scratch.
/// Traffic   between n nodes at most 2 (n - 1) m bytes; of nodes of s ranks each rank sends m/s parts of them. Inside a
///           node (s - 1) m bytes, on the root's m (s - 1)/s more.
/// Time      about 2 m tw/s with the outside's constants and 2 m tw with the inside's.
/// Optimal   within a factor 2 in bytes between nodes, which all ranks of a node share evenly.
/// Source    J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER,
///           2020.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm broadcast_multi_leader{
    .collective = Collective::broadcast,
    .name = "multi-leader",
    .aliases = {"multi-lane"},
    .summary =
        "The ranks of the root's node each send a part to every other node; parts are then gathered on every node.",
    .when = "Long messages over several nodes whose ranks can all send to others at once.",
    .source = "J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, 2020",
    .for_several_nodes = true,
    .record = hierarchical({scatter_linear, all_gather_linear}, broadcast_scatter_all_gather),
    .claims = hierarchical_claims<scatter_linear, all_gather_linear, broadcast_scatter_all_gather>,
};

}  // namespace tutti::algorithms
