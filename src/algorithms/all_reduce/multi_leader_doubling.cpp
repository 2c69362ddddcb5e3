/// @file
/// All-reduce by many leaders a node as in multi_leader.cpp, but that the parts go between nodes by recursive doubling.
///
/// Needs     any p >= 1, any nodes; nodes of consecutive ranks, or else a commutative operator. On one node it is
///           direct.cpp.
/// Buffers   as direct.cpp and recursive_doubling.cpp; in place the parts of sums grow in scratch.
/// Traffic   between n = 2^d nodes n d m bytes; of nodes of s ranks each rank sends d m/s of them. Inside a node 2 (s -
///           1) m bytes.
/// Time      d (ts + (m/s) tw) with the outside's constants and 2 (s - 1)(ts + m tw/s) with the inside's.
/// Optimal   in rounds between nodes; in bytes between two nodes.
/// Source    J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER,
///           2020.

#include "algorithms/all_gather/all_gather.hpp"
#include "algorithms/all_reduce/all_reduce.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "schedule/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_multi_leader_doubling{
    .collective = Collective::all_reduce,
    .name = "multi-leader-doubling",
    .summary = "A reduce-scatter on every node, an all-reduce of each part by recursive doubling, an all-gather.",
    .when = "Messages of middle length over several nodes, long ones over two; any operator.",
    .source = "J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, 2020",
    .needs = {Need::order_kept_over_nodes},
    .for_several_nodes = true,
    .record = hierarchical({reduce_scatter_direct, all_gather_linear}, all_reduce_recursive_doubling),
    .claims =
        [](const Problem& problem, const Parameters& parameters, const Layout& layout) {
          return hierarchical_claims({reduce_scatter_direct, all_gather_linear}, all_reduce_recursive_doubling, problem,
                                     parameters, layout);
        },
};

}  // namespace tutti::algorithms
