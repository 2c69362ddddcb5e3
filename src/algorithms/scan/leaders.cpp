/// @file
/// Scan and exclusive scan by leaders: the scan itself on every node, an exclusive scan of the nodes' totals among
/// their last ranks, and what the nodes before have together to all ranks of a node, each of which puts it before its
/// own.
///
///     node 0: 0 1 2    node 1: 3 4 5        2 --[0-2]--> 5 --[0-2]--> 3, 4        two nodes of three ranks
///
/// Needs     any p >= 1, any associative operator; nodes of any size that hold consecutive ranks. On one node it is
///           recursive_doubling.cpp.
/// Buffers   as recursive_doubling.cpp; m bytes of scratch more for what the nodes before have together, and of an
///           exclusive scan at last ranks m for their node's total.
/// Traffic   between n nodes fewer than n ceil(log2 n) messages of m bytes.
/// Time      ceil(log2 n)(ts + m tw) with the outside's constants and 2 ceil(log2 s)(ts + m tw) with the inside's, on
///           nodes of s ranks.
/// Optimal   in rounds between nodes.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm scan_leaders{
    .collective = Collective::scan,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary = "A scan on every node, an exclusive scan of the nodes' totals, and its result to all ranks of a node.",
    .when = "Several nodes of consecutive ranks: one rank a node talks to others.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .needs = {Need::consecutive_ranks},
    .for_several_nodes = true,
    .record = hierarchical({scan_recursive_doubling, broadcast_binomial}, exclusive_scan_recursive_doubling),
    .claims = hierarchical_claims<scan_recursive_doubling, broadcast_binomial, exclusive_scan_recursive_doubling>,
};

const Algorithm exclusive_scan_leaders{
    .collective = Collective::exclusive_scan,
    .name = "leaders",
    .aliases = {"hierarchical", "two-level"},
    .summary =
        "An exclusive scan on every node, an exclusive scan of the nodes' totals, and its result to all ranks of a "
        "node.",
    .when = "Several nodes of consecutive ranks: one rank a node talks to others.",
    .source =
        "N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation "
        "performance, 2000",
    .needs = {Need::consecutive_ranks},
    .for_several_nodes = true,
    .record = hierarchical({exclusive_scan_recursive_doubling, broadcast_binomial}, exclusive_scan_recursive_doubling),
    .claims =
        hierarchical_claims<exclusive_scan_recursive_doubling, broadcast_binomial, exclusive_scan_recursive_doubling>,
};

}  // namespace tutti::algorithms
