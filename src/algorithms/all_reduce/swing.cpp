/// @file
/// All-reduce by swings: a reduce-scatter, then an all-gather, with partners that are near on a ring or a torus.
///
/// Needs     p = 2^d; a commutative operator, because a rank's partners lie to both of its sides.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   2 p d messages, 2 (p - 1) m bytes.
/// Time      2 ts d + 2 m tw (p - 1)/p where ranks are fully connected.
/// Optimal   in bytes for each rank and, up to a factor 2, in rounds.
/// Source    D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce,
///           NSDI, 2024, §3.

#include "algorithms/all_gather/all_gather.hpp"
#include "algorithms/all_reduce/all_reduce.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "schedule/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_swing{
    .collective = Collective::all_reduce,
    .name = "swing",
    .summary = "A reduce-scatter and an all-gather with partners that swing to the right and to the left.",
    .when = "Messages of middle and great length on rings and tori where p is a power of two.",
    .source =
        "D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce, 2024",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .alike = Turns::Kind::reflection,
    .record = then(reduce_scatter_swing, all_gather_swing),
    .claims =
        [](const Problem& problem, const Parameters& parameters) {
          return then_claims(reduce_scatter_swing, all_gather_swing, problem, parameters);
        },
};

}  // namespace tutti::algorithms
