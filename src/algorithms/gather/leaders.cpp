/// @file
/// Gather by leaders: the dual of scatter/leaders.cpp. Every node's blocks are collected by one of its ranks, and go
/// from there to the root along a binomial tree.
///
/// Needs     any p >= 1, any root, any block sizes, any nodes. On one node it is the linear gather.
/// Buffers   everyone's `input` of one block, the root's `output` of p; leaders keep the blocks of others in scratch.
/// Traffic   messages and bytes of the scatter.
/// Time      rounds and time of the scatter.
/// Optimal   where the scatter is.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/gather/gather.hpp"
#include "algorithms/scatter/scatter.hpp"
#include "schedule/combinators.hpp"

namespace tutti::algorithms {

const Algorithm gather_leaders{
    .collective = Collective::gather,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary = "One rank of every node collects its blocks; these go to the root along a binomial tree.",
    .when = "Short and middle blocks over several nodes: one message a node.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .for_several_nodes = true,
    .record = dual(scatter_leaders),
    .claims = [](const Problem& problem, const Parameters& parameters,
                 const Layout& layout) { return dual_claims(scatter_leaders, problem, parameters, layout); },
};

}  // namespace tutti::algorithms
