/// @file
/// Reduce by parts: every rank folds its part of all inputs and sends the result to the root.
///
///     step 1    rank r receives part r of every input and folds it        step 2    rank r sends part r to the root
///
/// The combining, which the root of flat.cpp does alone, is shared by all ranks.
///
/// Needs     any p >= 1, any root, any associative operator.
/// Buffers   `input`, sent and read by parts where it lies; parts grow in the root's `output`, elsewhere in m/p bytes
///           of scratch. In place a root above rank 1 sets its own part aside.
/// Traffic   p (p - 1) and p - 1 messages, (p - 1) m and (p - 1) m/p bytes.
/// Time      2 (p - 1)(ts + m tw/p) and (p - 1) m tc/p on one-port ranks.
/// Optimal   in combinations; within a factor 2 in what the root receives.
/// Source    S. Li, T. Hoefler, M. Snir, NUMA-aware shared-memory collective communication for MPI, HPDC, 2013: the
///           tiled reduce.

#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/record/stage.hpp"

namespace tutti::algorithms {
namespace {

void record_direct(Script& me, const Problem& problem) {
  const bool root = me.rank() == problem.root;
  const Slice part = root ? me.output(me.rank()) : me.scratch(0, me.input(me.rank()).count);
  me.phase("reduce-scatter");
  combine_own_part(me, part);
  me.phase("gather");
  Stage stage = stage_of_all(me, related(problem, Collective::gather));
  stage.input = {part};
  stage.output = {me.output()};
  perform(me, gather_linear.record, stage);
}

}  // namespace

const Algorithm reduce_direct{
    .collective = Collective::reduce,
    .name = "direct",
    .aliases = {"tiled"},
    .summary = "Every rank folds its part of all inputs in one step and sends the result to the root in the next.",
    .when = "Long messages among ranks that read one another's memory; any operator.",
    .source = "S. Li, T. Hoefler, M. Snir, NUMA-aware shared-memory collective communication for MPI, 2013",
    .record = record_direct,
    .claims = then_claims<reduce_scatter_direct, gather_linear>,
};

}  // namespace tutti::algorithms
