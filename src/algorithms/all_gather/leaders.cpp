/// @file
/// All-gather by leaders: a gather on every node to its first rank, Bruck's all-gather among those, a broadcast on
/// every node.
///
///     1, 2 --> 0    4 .. 7 --> 3    then  0 <--> 3 <--> 8  then    0 --> 1, 2    3 --> 4 .. 7    3 + 5 + 1 ranks
///
/// Needs     any p >= 1, any block sizes, any nodes. On one node it is gather_broadcast.cpp.
/// Buffers   `output` throughout: blocks lie at their places from the start. No scratch.
/// Traffic   between n nodes n ceil(log2 n) messages, each node's blocks n - 1 times; inside a node what
///           gather_broadcast.cpp has, with all blocks in the broadcast.
/// Time      ts ceil(log2 n) + tw m (p - s) with the outside's constants, on nodes of s ranks.
/// Optimal   in messages and bytes between nodes; inside them not in bytes: see multi_leader.cpp.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_gather_leaders{
    .collective = Collective::all_gather,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary = "A gather to the first rank of every node, Bruck's all-gather among these, a broadcast on every node.",
    .when = "Short blocks over several nodes: one rank a node talks to others.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .for_several_nodes = true,
    .record = hierarchical({gather_binomial, broadcast_binomial}, all_gather_bruck),
    .claims = hierarchical_claims<gather_binomial, broadcast_binomial, all_gather_bruck>,
};

}  // namespace tutti::algorithms
