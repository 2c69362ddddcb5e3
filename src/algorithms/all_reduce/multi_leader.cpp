/// @file
/// All-reduce by many leaders a node: a reduce-scatter on every node, an all-reduce of each part among the ranks of the
/// same place in their nodes, an all-gather on every node.
///
///     all parts to all in 0 .. 2 and in 3 .. 5        then    0 <--> 3, 1 <--> 4, 2 <--> 5        then as before
///
/// Needs     any p >= 1, any nodes: there are as many parts as the smallest has ranks. A commutative operator, because
///           rabenseifner.cpp goes between nodes. On one node it is direct.cpp.
/// Buffers   as direct.cpp and rabenseifner.cpp; in place the parts of sums grow in scratch.
/// Traffic   between n = 2^d nodes 2 (n - 1) m bytes; of nodes of s ranks each rank sends 2 (m/s)(n - 1)/n of them.
///           Inside a node 2 (s - 1) m bytes.
/// Time      2 d ts + 2 (m/s) tw (n - 1)/n with the outside's constants and 2 (s - 1)(ts + m tw/s) with the inside's.
/// Optimal   in bytes between nodes for n = 2^d, which all ranks of a node share evenly.
/// Source    J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER,
///           2020.

#include "algorithms/all_gather/all_gather.hpp"
#include "algorithms/all_reduce/all_reduce.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "schedule/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_multi_leader{
    .collective = Collective::all_reduce,
    .name = "multi-leader",
    .aliases = {"multi-lane"},
    .summary = "A reduce-scatter on every node, an all-reduce of each part by halving and doubling, an all-gather.",
    .when = "Long messages over several nodes whose ranks can all send to others at once.",
    .source = "J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, 2020",
    .needs = {Need::commutative_operator},
    .for_several_nodes = true,
    .record = hierarchical({reduce_scatter_direct, all_gather_linear}, all_reduce_rabenseifner),
    .claims =
        [](const Problem& problem, const Parameters& parameters, const Layout& layout) {
          return hierarchical_claims({reduce_scatter_direct, all_gather_linear}, all_reduce_rabenseifner, problem,
                                     parameters, layout);
        },
};

}  // namespace tutti::algorithms
