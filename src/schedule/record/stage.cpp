#include "schedule/record/stage.hpp"

#include "schedule/record/recording_context.hpp"

namespace tutti {

Stage stage_of_all(const Script& me, const Problem& problem) {
  return {.problem = problem, .parameters = me.parameters(), .rank = me.rank()};
}

void perform(Script& me, const Record& record, const Stage& stage) {
  const Pooled<StagePlacement> placement(me.context().pool());
  placement->place_ranks(stage, me.placement());
  if (me.detail() != Detail::messages) placement->place_buffers(stage, me.placement());
  Script part(stage, me, *placement);
  record(part, stage.problem);
  part.wait();
}

}  // namespace tutti
