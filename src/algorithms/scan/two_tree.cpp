/// @file
/// Scan along two trees: segments go up them by turns, and down again.
///
/// Needs     any p >= 1, any associative operator; S segments: me.parameters().segments_for(m).
/// Buffers   `input`, read where it lies; `output`, in which the result arrives, in place or not. Scratch: 2 m.
/// Traffic   (2 p - 3) S messages, (2 p - 3) m bytes; where p is odd, less by the segments of a tree for each edge from
///           its root to the last rank, because nobody is behind what these would tell.
/// Time      (2 (S + 2 ceil(log2 p) - c) - 1)(ts + tw m/S), c as in broadcast/two_tree.cpp; where p is 3 modulo 4 one
///           round less, or two if S is even, and 1 + floor(S/2) less for p = 3 and S > 1.
/// Optimal   within a factor 2 in bytes and 4 in rounds at once for every p when S is large. In rounds alone see
///           dissemination.cpp, in bytes alone chain_pipelined.cpp.
/// Source    P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
///           Parallel Computing 35(12), 2009.

#include "algorithms/scan/two_tree_prefix.hpp"

namespace tutti::algorithms {
namespace {

void record(Script& me, const Problem& problem) { scan_along_two_trees(me, problem, PrefixEnd::through_own); }

}  // namespace

const Algorithm scan_two_tree{
    .collective = Collective::scan,
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
