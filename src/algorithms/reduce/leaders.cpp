/// @file
/// Reduce by leaders: the dual of the broadcast. Every node's ranks are combined, then the nodes' results.
///
/// Needs     any p >= 1, any root, any nodes; nodes of consecutive ranks, or else a commutative operator.
/// Buffers   as reduce.cpp.
/// Traffic   messages and bytes of the broadcast; one message more where the operator is not commutative and the root
///           is not rank 0.
/// Time      rounds and time of the broadcast, and m tc for each combination.
/// Optimal   where the broadcast is.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "schedule/combinators.hpp"

namespace tutti::algorithms {

const Algorithm reduce_leaders{
    .collective = Collective::reduce,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary = "Every node's ranks are combined along a binomial tree, then one rank a node along another.",
    .when = "Short messages over several nodes: one message a node goes to another.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .needs = {Need::order_kept_over_nodes},
    .for_several_nodes = true,
    .record = in_rank_order(dual(broadcast_leaders)),
    .claims =
        [](const Problem& problem, const Parameters& parameters, const Layout& layout) {
          return in_rank_order(dual_claims(broadcast_leaders, problem, parameters, layout), problem);
        },
};

}  // namespace tutti::algorithms
