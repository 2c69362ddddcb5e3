/// @file
/// Reduce-scatter by many leaders a node: the dual of all_gather/multi_leader.cpp.
///
/// Needs     any p >= 1, any block sizes, any nodes; a commutative operator, because results are combined between nodes
///           by Bruck's all-gather backwards. On one node it is linear.cpp's dual.
/// Buffers   `input`, read where it lies; partial results of other ranks' blocks in scratch, at the positions of the
///           input.
/// Traffic   messages and bytes of the all-gather.
/// Time      rounds and time of the all-gather, and tc for each byte received.
/// Optimal   where the all-gather is.
/// Source    K. Kandalla, H. Subramoni, G. Santhanaraman, M. Koop, D. K. Panda, Designing multi-leader-based allgather
///           algorithms for multi-core clusters, IPDPS workshops, 2009.

#include "algorithms/all_gather/all_gather.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "schedule/combinators.hpp"

namespace tutti::algorithms {

const Algorithm reduce_scatter_multi_leader{
    .collective = Collective::reduce_scatter,
    .name = "multi-leader",
    .aliases = {"multi-lane"},
    .summary = "A reduce-scatter by places on every node, then Bruck's backwards among ranks of the same place.",
    .when = "Long blocks over several nodes: each crosses every other node's link once.",
    .source =
        "K. Kandalla, H. Subramoni, G. Santhanaraman, M. Koop, D. K. Panda, Designing multi-leader-based allgather "
        "algorithms for multi-core clusters, 2009",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .record = dual(all_gather_multi_leader),
    .claims = [](const Problem& problem, const Parameters& parameters,
                 const Layout& layout) { return dual_claims(all_gather_multi_leader, problem, parameters, layout); },
};

}  // namespace tutti::algorithms
