/// @file
/// All-reduce along two trees: segments go up both to rank 0 by turns, then the results down again.
///
/// Needs     any p >= 1, any associative operator; S segments: me.segments_for(m).
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   2 (p - 1) S messages, 2 (p - 1) m bytes.
/// Time      2 (S + 2 ceil(log2 p) - c)(ts + tw m/S), c as in broadcast/two_tree.cpp.
/// Optimal   within a factor 2 in bytes for each rank when S is large: ranks combine in order, which reduce-scatters do
///           not.
/// Source    P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
///           Parallel Computing 35(12), 2009.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_two_tree{
    .collective = Collective::all_reduce,
    .name = "two-tree",
    .aliases = {"double-binary-tree"},
    .summary = "Segments go by turns up two binary trees, in one of which each rank is a leaf, and down again.",
    .when = "For long messages over many ranks, with operators that are not commutative.",
    .source =
        "P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009",
    .record = then(reduce_two_tree, broadcast_two_tree),
    .claims = then_claims<reduce_two_tree, broadcast_two_tree>,
};

}  // namespace tutti::algorithms
