/// @file
/// All-reduce along bine butterflies: a reduce-scatter, then an all-gather, with partners to both sides.
///
/// Needs     p = 2^d; a commutative operator, because a rank's partners lie to both of its sides.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   2 p d messages, 2 (p - 1) m bytes.
/// Time      2 ts d + 2 m tw (p - 1)/p where ranks are fully connected.
/// Optimal   in bytes for each rank and, up to a factor 2, in rounds.
/// Source    D. De Sensi, S. Pasqualoni, L. Piarulli, T. Bonato, S. Ba, M. Turisini, J. Domke, T. Hoefler, Bine Trees:
///           Enhancing Collective Operations by Optimizing Communication Locality, SC, 2025, §4.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_bine{
    .collective = Collective::all_reduce,
    .name = "bine",
    .aliases = {"binomial-negabinary"},
    .summary = "A reduce-scatter and an all-gather of neighbouring parts, with partners to both sides.",
    .when = "Messages of middle length on rings and tori, and where groups of near ranks share links to others.",
    .source =
        "D. De Sensi et al., Bine Trees: Enhancing Collective Operations by Optimizing Communication Locality, 2025",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .for_several_nodes = true,
    .symmetry = RankSymmetry::Kind::reflection,
    .record = then(reduce_scatter_bine, all_gather_bine),
    .claims = then_claims<reduce_scatter_bine, all_gather_bine>,
};

}  // namespace tutti::algorithms
