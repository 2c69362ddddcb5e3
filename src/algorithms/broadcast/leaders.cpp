/// @file
/// Broadcast by leaders: along a binomial tree of one rank a node, then along one in every node.
///
///     0 --> 3 --> 8        then    0 --> 1, 2    3 --> 4 .. 7        3 + 5 + 1 ranks on three nodes, root 0
///
/// On a node, the same again over its NUMA domains, and in each of them over the cores, where they are known.
///
/// Needs     any p >= 1, any root, any nodes. On one node it is binomial.cpp.
/// Buffers   `message`, sent whole; read at the root, written once elsewhere. No scratch.
/// Traffic   p - 1 messages, (p - 1) m bytes, n - 1 of them between the n nodes.
/// Time      ceil(log2 n)(ts + m tw) with the outside's constants and ceil(log2 s)(ts + m tw) with the inside's, on
///           nodes of s ranks.
/// Optimal   in messages between nodes, and in rounds between them.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {
namespace {

// One over the cores of a domain, and over the domains of a node.
const Algorithm in_domain{
    .collective = Collective::broadcast,
    .record = hierarchical(broadcast_binomial, broadcast_binomial),
    .claims = hierarchical_claims<broadcast_binomial, broadcast_binomial>,
};
const Algorithm in_node{
    .collective = Collective::broadcast,
    .record = hierarchical(in_domain, broadcast_binomial),
    .claims = hierarchical_claims<in_domain, broadcast_binomial>,
};

}  // namespace

const Algorithm broadcast_leaders{
    .collective = Collective::broadcast,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary = "Along a binomial tree of one rank a node, then along one in every node.",
    .when = "Short messages over several nodes: the message goes to every other node once.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .for_several_nodes = true,
    .record = hierarchical(in_node, broadcast_binomial),
    .claims = hierarchical_claims<in_node, broadcast_binomial>,
};

}  // namespace tutti::algorithms
