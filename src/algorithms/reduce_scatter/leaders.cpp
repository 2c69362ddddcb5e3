/// @file
/// Reduce-scatter by leaders: the dual of all_gather/leaders.cpp.
///
/// Needs     any p >= 1, any block sizes, any nodes; a commutative operator, because results are combined between nodes
///           by Bruck's all-gather backwards. On one node it is a reduce, then a scatter.
/// Buffers   `input`, read where it lies; partial results of other ranks' blocks in scratch, at the positions of the
///           input.
/// Traffic   messages and bytes of the all-gather.
/// Time      rounds and time of the all-gather, and tc for each byte received.
/// Optimal   where the all-gather is.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/all_gather/all_gather.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "schedule/combinators.hpp"

namespace tutti::algorithms {

const Algorithm reduce_scatter_leaders{
    .collective = Collective::reduce_scatter,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary =
        "Every node reduces all blocks to one rank; these exchange and add what their nodes want, and scatter it.",
    .when = "Short blocks over several nodes: one rank a node talks to others.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .record = dual(all_gather_leaders),
    .claims = [](const Problem& problem, const Parameters& parameters,
                 const Layout& layout) { return dual_claims(all_gather_leaders, problem, parameters, layout); },
};

}  // namespace tutti::algorithms
