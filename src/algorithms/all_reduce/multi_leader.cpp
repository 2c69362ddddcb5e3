/// @file
/// All-reduce by many leaders a node: a reduce-scatter on every node, an all-reduce of each part among the ranks of the
/// same place in their nodes, an all-gather on every node.
///
///     all parts to all in 0 .. 2 and in 3 .. 5        then    0 <--> 3, 1 <--> 4, 2 <--> 5        then as before
///
/// Between nodes goes rabenseifner.cpp or, in `multi-leader-doubling`, recursive_doubling.cpp.
///
/// Needs     any p >= 1, any nodes: there are as many parts as the smallest has ranks. A commutative operator, or by
///           doubling nodes of consecutive ranks. On one node it is direct.cpp.
/// Buffers   as direct.cpp and what goes between nodes; in place the parts of sums grow in scratch.
/// Traffic   between n = 2^d nodes 2 (n - 1) m bytes; of nodes of s ranks each rank sends 2 (m/s)(n - 1)/n of them.
///           By doubling n d m bytes, of which each rank sends d m/s. Inside a node 2 (s - 1) m bytes.
/// Time      2 d ts + 2 (m/s) tw (n - 1)/n with the outside's constants, by doubling d (ts + (m/s) tw), and 2 (s -
///           1)(ts + m tw/s) with the inside's.
/// Optimal   in bytes between nodes for n = 2^d, which all ranks of a node share evenly; by doubling in rounds between
///           nodes, and in bytes between two.
/// Source    J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER,
///           2020.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

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
    .claims = hierarchical_claims<reduce_scatter_direct, all_gather_linear, all_reduce_rabenseifner>,
};

const Algorithm all_reduce_multi_leader_doubling{
    .collective = Collective::all_reduce,
    .name = "multi-leader-doubling",
    .summary = "A reduce-scatter on every node, an all-reduce of each part by recursive doubling, an all-gather.",
    .when = "Messages of middle length over several nodes, long ones over two; any operator.",
    .source = "J. L. Träff, S. Hunold, Decomposing MPI collectives for exploiting multi-lane communication, 2020",
    .needs = {Need::order_kept_over_nodes},
    .for_several_nodes = true,
    .record = hierarchical({reduce_scatter_direct, all_gather_linear}, all_reduce_recursive_doubling),
    .claims = hierarchical_claims<reduce_scatter_direct, all_gather_linear, all_reduce_recursive_doubling>,
};

}  // namespace tutti::algorithms
