/// @file
/// All-gather as a gather to rank 0 and a broadcast of the whole, both along binomial trees.
///
/// Needs     any p >= 1, any block sizes.
/// Buffers   `input`, one block; `output`, p blocks, which also hold what ranks relay in the gather. No scratch.
/// Traffic   2(p - 1) messages; the gather's bytes and (p - 1) p m.
/// Time      ts log2 p + tw m (p - 1) + (ts + tw m p) log2 p for p = 2^d.
/// Optimal   within a factor 2 in rounds; log2 p + 1 times the least time in bytes.
/// Source    E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §6: short vectors.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_gather_gather_broadcast{
    .collective = Collective::all_gather,
    .name = "gather-broadcast",
    .aliases = {"tree"},
    .summary = "A binomial gather to rank 0, then a binomial broadcast of all blocks.",
    .when =
        "Very short blocks over networks where few messages matter most; the building-block exercise of the textbook.",
    .source = "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective Communication, 2007, §6",
    .record = then(gather_binomial, broadcast_binomial),
    .claims = then_claims<gather_binomial, broadcast_binomial>,
};

}  // namespace tutti::algorithms
