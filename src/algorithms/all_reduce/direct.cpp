/// @file
/// All-reduce by parts: every rank folds its part of all inputs, then hands the result to all others.
///
///     step 1    rank r receives part r of every input and folds it        step 2    rank r sends part r to all
///
/// Needs     any p >= 1, any associative operator: each part is folded by one rank, in rank order.
/// Buffers   `input`, sent and read by parts where it lies; `output`, in which the own part grows and the others
///           arrive. In place the own part is set aside at ranks above 1: m/p bytes of scratch.
/// Traffic   2 p (p - 1) messages, 2 (p - 1) m bytes: 2 m (p - 1)/p a rank.
/// Time      2 (p - 1)(ts + m tw/p) and (p - 1) m tc/p on one-port ranks.
/// Optimal   in bytes for each rank, and in combinations; two steps. In rounds for one-port ranks see rabenseifner.cpp.
/// Source    S. Li, T. Hoefler, M. Snir, NUMA-aware shared-memory collective communication for MPI, HPDC, 2013: the
///           tiled reduce.

#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/record/stage.hpp"

namespace tutti::algorithms {
namespace {

void record_direct(Script& me, const Problem& problem) {
  const Slice part = me.output(me.rank());
  me.phase("reduce-scatter");
  combine_own_part(me, part);
  me.phase("all-gather");
  Stage stage = stage_of_all(me, related(problem, Collective::all_gather));
  stage.input = {part};
  stage.output = {me.output()};
  perform(me, all_gather_linear.record, stage);
}

}  // namespace

const Algorithm all_reduce_direct{
    .collective = Collective::all_reduce,
    .name = "direct",
    .aliases = {"tiled"},
    .summary = "Every rank folds its part of all inputs in one step and sends the result to all others in the next.",
    .when = "Long messages among ranks that read one another's memory; any operator.",
    .source = "S. Li, T. Hoefler, M. Snir, NUMA-aware shared-memory collective communication for MPI, 2013",
    .symmetry = RankSymmetry::Kind::rotation,
    .steps_differ = true,
    .record = record_direct,
    .claims = then_claims<reduce_scatter_direct, all_gather_linear>,
};

}  // namespace tutti::algorithms
