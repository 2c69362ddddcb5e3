/// @file
/// All-reduce as a reduce to rank 0 and a broadcast of the result, both along binomial trees.
///
///     1 --r1--> 0    3 --r1--> 2    5 --r1--> 4        p = 6; rN is the round in which
///     2 --r2--> 0                                      the message crosses that edge
///     4 --r3--> 0
///     0 --r4--> 4    0 --r5--> 2    4 --r5--> 5    0 --r6--> 1    2 --r6--> 3
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, read where it lies; partial results grow in `output`, which the result then overwrites. No
///           scratch.
/// Traffic   2 (p - 1) messages, 2 (p - 1) m bytes.
/// Time      2 ceil(log2 p)(ts + m tw) where ranks are fully connected.
/// Optimal   in messages. In rounds up to a factor 2: see recursive_doubling.cpp; not in bytes: see ring.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3.

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_reduce_broadcast{
    .collective = Collective::all_reduce,
    .name = "reduce-broadcast",
    .aliases = {"tree", "binomial"},
    .summary = "A binomial reduce to rank 0, then a binomial broadcast of the result.",
    .when = "Where messages are dear and many ranks share few links: it sends the fewest messages.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3",
    .record = then(reduce_binomial, broadcast_binomial),
    .claims = then_claims<reduce_binomial, broadcast_binomial>,
};

}  // namespace tutti::algorithms
