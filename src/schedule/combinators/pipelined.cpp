/// @file
/// An algorithm over segments of the message, overlapped.

#include <algorithm>

#include "schedule/combinators.hpp"
#include "schedule/stage.hpp"

namespace tutti {
namespace {

struct Segment {
  Stage stage;
  Program program;
  StagePlacement placement;
  std::size_t next = 0;
};

Segment segment_of(Script& me, const Algorithm& algorithm, const Problem& problem, const Slice& part) {
  Stage stage = stage_of_all(me, problem);
  stage.problem.count = part.count;
  stage.output = {part};
  Program program = record_rank(algorithm.record, stage.problem, me);
  const StagePlacement placement(stage, me);
  return {std::move(stage), std::move(program), placement};
}

}  // namespace

Record pipelined(const Algorithm& algorithm) {
  return [&algorithm](Script& me, const Problem& problem) {
    const Blocks parts = Blocks::parts_of(problem.count, me.parameters().segments_for(problem.count));
    std::vector<Segment> segments;
    for (int s = 0; s < parts.size(); ++s) {
      segments.push_back(segment_of(me, algorithm, problem, {Buffer::output, parts.first(s), parts.count(s)}));
    }
    // In each slot the segments that have begun and not ended take one step each, the oldest first.
    std::size_t oldest = 0;
    for (std::size_t begun = 1; oldest < segments.size(); ++begun) {
      for (std::size_t s = oldest; s < std::min(begun, segments.size()); ++s) {
        Segment& segment = segments[s];
        const std::size_t end = segment.program.step_end(segment.next);
        Script part(segment.stage, me, segment.placement);
        part.play(segment.program, segment.next, end);
        segment.next = end;
      }
      me.wait();
      while (oldest < segments.size() && segments[oldest].next == segments[oldest].program.ops.size()) ++oldest;
    }
  };
}

}  // namespace tutti
