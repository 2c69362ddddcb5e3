/// @file
/// Exclusive scan along two trees: as two_tree.cpp, where what comes before a rank is its result.
///
/// Needs     any p >= 1, any associative operator; S segments: me.parameters().segments_for(m).
/// Buffers   `input`, read where it lies; `output`, in which the result arrives, untouched at rank 0, in place or
///           not. Scratch: 3 m.
/// Traffic   as two_tree.cpp.
/// Time      as two_tree.cpp.
/// Optimal   within a factor 2 in bytes and 4 in rounds at once for every p when S is large. In rounds alone see
///           exclusive_123_doubling.cpp, in bytes alone exclusive_chain_pipelined.cpp.
/// Source    P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
///           Parallel Computing 35(12), 2009.

#include "algorithms/scan/two_tree_prefix.hpp"

namespace tutti::algorithms {
namespace {

void record(Script& me, const Problem& problem) { scan_along_two_trees(me, problem, PrefixEnd::before_own); }

}  // namespace

const Algorithm exclusive_scan_two_tree{
    .collective = Collective::exclusive_scan,
    .name = "two-tree",
    .aliases = {"double-binary-tree"},
    .summary = two_tree_scan_summary,
    .when = two_tree_scan_when,
    .source = two_tree_scan_source,
    .for_several_nodes = true,
    .record = record,
    .claims = two_tree_scan_claims,
};

}  // namespace tutti::algorithms
