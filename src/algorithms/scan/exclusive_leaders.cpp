/// @file
/// Exclusive scan by leaders: an exclusive scan on every node, an exclusive scan of the nodes' totals among their last
/// ranks, and what the nodes before have together to all ranks of a node, each of which puts it before its own.
///
///     node 0: 0 1 2    node 1: 3 4 5        2 --[0-2]--> 5 --[0-2]--> 3, 4        two nodes of three ranks
///
/// Needs     any p >= 1, any associative operator; nodes of any size that hold consecutive ranks. On one node it is
///           exclusive_recursive_doubling.cpp.
/// Buffers   as exclusive_recursive_doubling.cpp; m bytes of scratch more for what the nodes before have together, and
///           at last ranks m for their node's total.
/// Traffic   between n nodes fewer than n ceil(log2 n) messages of m bytes.
/// Time      ceil(log2 n)(ts + m tw) with the outside's constants and 2 ceil(log2 s)(ts + m tw) with the inside's, on
///           nodes of s ranks.
/// Optimal   in rounds between nodes.
/// Source    N. T. Karonis et al., Exploiting hierarchy in parallel computer networks to optimize collective operation
///           performance, IPDPS, 2000.

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/scan/scan.hpp"
#include "schedule/combinators.hpp"

namespace tutti::algorithms {

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
        [](const Problem& problem, const Parameters& parameters, const Layout& layout) {
          return hierarchical_claims({exclusive_scan_recursive_doubling, broadcast_binomial},
                                     exclusive_scan_recursive_doubling, problem, parameters, layout);
        },
};

}  // namespace tutti::algorithms
