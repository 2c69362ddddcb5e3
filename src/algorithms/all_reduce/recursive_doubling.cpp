/// @file
/// All-reduce by recursive doubling.
///
/// In round k ranks that differ in bit k exchange all that they have so far and combine it: what stands for 2^k ranks
/// stands for 2^(k+1) afterwards. Where p is not a power of two, p = 2^d + e, the first 2 e ranks are folded before:
/// rank 2 i + 1 gives its contribution to rank 2 i, which stands for both, and gets the result back after the last
/// round. Folding neighbours, and counting those who stand for ranks in rank order, keeps the order of a
/// non-commutative operator.
///
///     r1    1 --> 0                            p = 5: 1 is folded; 0, 2, 3, 4 are numbered 0 to 3
///     r2    0 <--> 2    3 <--> 4
///     r3    0 <--> 3    2 <--> 4
///     r4    0 --> 1
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, read in the first step; afterwards `output` and m bytes of scratch take turns, so that what is
///           sent and what is being formed are apart and the last step ends in `output`. In place: one copy if d is
///           odd, on ranks that nobody is folded into.
/// Traffic   2^d d + 2 e messages of m bytes.
/// Time      d (ts + m tw) where ranks are fully connected, and on a hypercube; 2 (ts + m tw) more with folding.
/// Optimal   in rounds for one-port ranks where p is a power of two. Not in bytes: see ring.cpp and rabenseifner.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3;
///           folding: R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in
///           MPICH, 2005, §3.

#include "algorithms/all_reduce/multiplying.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {

const Algorithm all_reduce_recursive_doubling{
    .collective = Collective::all_reduce,
    .name = "recursive-doubling",
    .aliases = {"hypercube"},
    .summary = "In round k, ranks that differ in bit k exchange and combine all that they have.",
    .when = "For short messages: no all-reduce has fewer rounds where p is a power of two.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3",
    .symmetry = RankSymmetry::Kind::exchange,
    .record = [](Script& me, const Problem& problem) { multiply(me, problem, 2); },
    .claims = [](const Problem& problem) { return multiplying_claims(problem, 2); },
};

}  // namespace tutti::algorithms
