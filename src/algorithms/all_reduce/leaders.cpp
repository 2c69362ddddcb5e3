/// @file
/// All-reduce by leaders: a reduce on every node to its first rank, an all-reduce among those, a broadcast on every
/// node.
///
///     node 0: 1, 2 --> 0        0 <--> 3        node 0: 0 --> 1, 2        3 + 5 ranks on two nodes
///     node 1: 4 .. 7 --> 3                      node 1: 3 --> 4 .. 7
///
/// Needs     any p >= 1, any nodes; nodes of consecutive ranks, or else a commutative operator. On one node it is
///           reduce_broadcast.cpp.
/// Buffers   as reduce_broadcast.cpp and, at the leaders, recursive_doubling.cpp in place.
/// Traffic   2 (p - n) messages inside the n nodes; between them n d for n = 2^d, of m bytes each.
/// Time      2 ceil(log2 s)(ts + m tw) with the inside's constants, on nodes of s ranks, and ceil(log2 n)(ts + m tw)
///           with the outside's where n is a power of two.
/// Optimal   in rounds between nodes. Not in bytes: see multi_leader.cpp.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_leaders{
    .collective = Collective::all_reduce,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary = "A reduce to the first rank of every node, recursive doubling among these, a broadcast on every node.",
    .when = "Short messages over several nodes: one rank a node talks to others.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .needs = {Need::order_kept_over_nodes},
    .for_several_nodes = true,
    .record = hierarchical({reduce_leaders, broadcast_leaders}, all_reduce_recursive_doubling),
    .claims = hierarchical_claims<reduce_leaders, broadcast_leaders, all_reduce_recursive_doubling>,
};

}  // namespace tutti::algorithms
