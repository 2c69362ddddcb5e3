/// @file
/// All-reduce by Rabenseifner's algorithm: a reduce-scatter by recursive halving, then an all-gather by recursive
/// doubling.
///
/// If p is a power of two, ranks exchange halves, quarters, … of the message and combine them, until each has one part
/// of the result; then parts, pairs of parts, … until each has all of it. If p = 2^d + e, rank 2^d + i is folded into
/// rank i before, and gets the result from it afterwards.
///
///     r1        4 --> 0                           all of the message      p = 5
///     r2, r3    0 <--> 2    1 <--> 3    then      halves of the sums
///               0 <--> 1    2 <--> 3              quarters of the sums
///     r4, r5    0 <--> 1    2 <--> 3    then      quarters of the result
///               0 <--> 2    1 <--> 3              halves of the result
///     r6        0 --> 4                           all of the result
///
/// Needs     any p >= 1; a commutative operator, since the farthest ranks are combined first.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive; m bytes of scratch at ranks
///           that others are folded into.
/// Traffic   2^(d+1) d + 2 e messages, 2 (2^d - 1 + e) m bytes.
/// Time      2 ts log2 p + 2 m tw (p - 1)/p for p a power of two; 2 (ts + m tw) more with folding.
/// Optimal   in bytes for each rank and, up to a factor 2, in rounds where p is a power of two; see ring.cpp for other
///           p.
/// Source    R. Rabenseifner, Optimization of collective reduction operations, ICCS 2004; R. Thakur, R. Rabenseifner,
///           W. Gropp, Optimization of collective communication operations in MPICH, Int. J. of High Performance
///           Computing Applications 19(1), 2005, §3.

#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/record/stage.hpp"

namespace tutti::algorithms {
namespace {

const Record halving_then_doubling = then(reduce_scatter_recursive_halving, all_gather_recursive_doubling);

// Returns the problem on the ranks that others are folded into.
Problem core_problem(const Problem& problem) {
  Problem core = problem;
  core.ranks = floor_power_of_two(problem.ranks);
  return core;
}

void record_rabenseifner(Script& me, const Problem& problem) {
  const Problem core = core_problem(problem);
  const int folded = problem.ranks - core.ranks;

  if (me.rank() >= core.ranks) {
    me.phase("fold");
    me.send(me.input(), me.rank() - core.ranks);
    me.wait();
    me.phase("unfold");
    me.receive(me.output(), me.rank() - core.ranks);
    return;
  }
  Stage stage{.problem = core, .rank = me.rank(), .input = {me.input()}, .output = {me.output()}};
  const bool stands_for_two = me.rank() < folded;
  if (stands_for_two) {
    me.phase("fold");
    const Slice sum = me.scratch(0, problem.count);
    me.receive_reduce(sum, me.input(), me.rank() + core.ranks);
    me.wait();
    stage.input = {sum};
    stage.problem.in_place = false;
    stage.scratch_base = problem.count;
    me.phase({});
  }
  perform(me, halving_then_doubling, stage);
  if (stands_for_two) me.phase("unfold");
  if (stands_for_two) me.send(me.output(), me.rank() + core.ranks);
}

Claims claims_rabenseifner(const Problem& problem) {
  const Problem core = core_problem(problem);
  const std::int64_t folded = problem.ranks - core.ranks;
  Claims claims = then_claims(reduce_scatter_recursive_halving, all_gather_recursive_doubling, core, {});
  if (folded > 0) claims.rounds += 2;
  claims.messages += 2 * folded;
  claims.elements += 2 * folded * problem.count;
  return claims;
}

}  // namespace

const Algorithm all_reduce_rabenseifner{
    .collective = Collective::all_reduce,
    .name = "rabenseifner",
    .aliases = {"reduce-scatter-all-gather", "halving-doubling"},
    .summary = "A reduce-scatter by recursive halving, then an all-gather by recursive doubling.",
    .when = "For messages of middle and great length, best where p is a power of two.",
    .source = "R. Rabenseifner, Optimization of collective reduction operations, 2004",
    .needs = {Need::commutative_operator},
    .symmetry = RankSymmetry::Kind::exchange,
    .record = record_rabenseifner,
    .claims = claims_rabenseifner,
};

}  // namespace tutti::algorithms
