/// @file
/// Barrier by leaders: signals are gathered along a binomial tree on every node, its first rank takes part in a
/// dissemination among the nodes, and the release goes back along the tree.
///
///     1, 2 --> 0    4 .. 7 --> 3    then  0 <--> 3 <--> 8  then    0 --> 1, 2    3 --> 4 .. 7    3 + 5 + 1 ranks
///
/// Needs     any p >= 1, any nodes. On one node it is tree.cpp.
/// Buffers   none: signals carry no bytes.
/// Traffic   2 (p - n) messages inside the n nodes, n ceil(log2 n) between them, 0 bytes.
/// Time      ts ceil(log2 n) with the outside's constants and 2 ts ceil(log2 s) with the inside's, on nodes of s ranks.
/// Optimal   in rounds between nodes, and in messages inside them.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/barrier/tree_halves.hpp"
#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm barrier_leaders{
    .collective = Collective::barrier,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary =
        "Signals are gathered on every node, its first rank takes part in a dissemination, the release goes back.",
    .when = "Several nodes: one rank a node talks to others.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .for_several_nodes = true,
    .record = hierarchical({barrier_arrival, barrier_release}, barrier_dissemination),
    .claims = hierarchical_claims<barrier_arrival, barrier_release, barrier_dissemination>,
};

}  // namespace tutti::algorithms
