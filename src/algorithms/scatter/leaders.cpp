/// @file
/// Scatter by leaders: the blocks of every node go along a binomial tree to one of its ranks, which deals them out.
///
///     0 --{3 .. 7}--> 3    0 --{8}--> 8    then    0 --> 1, 2    3 --> 4 .. 7        3 + 5 + 1 ranks, root 0
///
/// Needs     any p >= 1, any root, any block sizes, any nodes. On one node it is linear.cpp.
/// Buffers   the root's `input` of p blocks, everyone's `output` of one; leaders keep the blocks of their nodes in
///           scratch, and behind them what scatter/binomial.cpp keeps.
/// Traffic   n - 1 messages between n nodes, p - n inside them.
/// Time      ts ceil(log2 n) + tw m (p - s) with the outside's constants, on nodes of s ranks, and (s - 1)(ts + m tw)
///           with the inside's.
/// Optimal   in messages between nodes and, at the root, in bytes.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm scatter_leaders{
    .collective = Collective::scatter,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary = "The blocks of every node go along a binomial tree to one of its ranks, which deals them out.",
    .when = "Short and middle blocks over several nodes: one message a node.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .for_several_nodes = true,
    .record = hierarchical(scatter_linear, scatter_binomial),
    .claims = hierarchical_claims<scatter_linear, scatter_binomial>,
};

}  // namespace tutti::algorithms
