/// @file
/// All-reduce on a circulant graph: a reduce-scatter, then an all-gather, each in ceil(log2 p) rounds for any p.
///
/// No rank is folded into another if p is no power of two, as rabenseifner.cpp does with whole messages.
///
/// Needs     any p >= 1; a commutative operator, since the sums begin at a different rank for every part.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   2 p ceil(log2 p) messages, 2 (p - 1) m bytes: 2 m (p - 1)/p a rank, whatever p.
/// Time      2 ts ceil(log2 p) + 2 m tw (p - 1)/p.
/// Optimal   in bytes for each rank and, up to a factor 2, in rounds, for every p.
/// Source    J. L. Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, 2024, §2.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_circulant{
    .collective = Collective::all_reduce,
    .name = "circulant",
    .aliases = {"bruck"},
    .summary = "A reduce-scatter by halving, then an all-gather by doubling, on a circulant graph of any size.",
    .when = "For messages of middle and great length over any number of ranks.",
    .source = "J. L. Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, 2024",
    .needs = {Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::rotation,
    .record = then(reduce_scatter_circulant, all_gather_circulant),
    .claims = then_claims<reduce_scatter_circulant, all_gather_circulant>,
};

}  // namespace tutti::algorithms
