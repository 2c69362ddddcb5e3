/// @file
/// All-reduce on a ring: a reduce-scatter, then an all-gather of the parts.
///
/// The message is cut into p parts. For p - 1 steps partial sums of the parts travel round the ring, each rank adding
/// its own contribution, until rank r has part r of the result; for p - 1 more steps the parts of the result travel the
/// other way, until every rank has all of them. The parts that each rank sends:
///
///     step      1  2  3     step      4  5  6        p = 4; sums, then results
///     0 -> 3    1  2  3     0 -> 1    0  3  2
///     1 -> 0    2  3  0     1 -> 2    1  0  3
///     2 -> 1    3  0  1     2 -> 3    2  1  0
///     3 -> 2    0  1  2     3 -> 0    3  2  1
///
/// Needs     any p >= 1; a commutative operator, since the sums begin at a different rank for every part.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   2 p (p - 1) messages, 2 (p - 1) m bytes: 2 m (p - 1)/p a rank, whatever p.
/// Time      2 (p - 1)(ts + m tw/p), also store-and-forward on a ring: all messages go one link.
/// Optimal   in bytes for each rank. Not in rounds: see recursive_doubling.cpp and rabenseifner.cpp.
/// Source    P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, J. of
///           Parallel and Distributed Computing 69(2), 2009.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_ring{
    .collective = Collective::all_reduce,
    .name = "ring",
    .aliases = {"bucket"},
    .summary = "A reduce-scatter of p parts of the message round the ring, then an all-gather of the results.",
    .when = "For long messages: gradients in data-parallel training.",
    .source = "P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009",
    .needs = {Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::rotation,
    .record = then(reduce_scatter_ring, all_gather_ring),
    .claims = then_claims<reduce_scatter_ring, all_gather_ring>,
};

}  // namespace tutti::algorithms
