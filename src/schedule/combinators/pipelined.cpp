/// @file
/// An algorithm over segments of the message, overlapped.

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "schedule/combinators.hpp"
#include "schedule/stage.hpp"

namespace tutti {
namespace {

struct Segment {
  Segment(Script& me, Stage of, std::size_t its_program)
      : stage(std::move(of)), placement(stage, me), script(stage, me, placement), program(its_program) {}
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  Stage stage;
  StagePlacement placement;
  Script script;        // of stage and placement
  std::size_t program;  // of those of its size
  std::size_t next = 0;
};

Stage stage_of(const Script& me, const Problem& problem, const Slice& part) {
  Stage stage = stage_of_all(me, problem);
  stage.problem.count = part.count;
  stage.output = {part};
  return stage;
}

}  // namespace

Record pipelined(const Algorithm& algorithm) {
  return [&algorithm](Script& me, const Problem& problem) {
    const Blocks parts = Blocks::parts_of(problem.count, me.parameters().segments_for(problem.count));
    std::deque<Segment> segments;
    std::vector<Program> programs;  // segments of the same size, which follow one another, have the same
    for (int s = 0; s < parts.size(); ++s) {
      Stage stage = stage_of(me, problem, {Buffer::output, parts.first(s), parts.count(s)});
      if (s == 0 || parts.count(s) != parts.count(s - 1))
        programs.push_back(record_rank(algorithm.record, stage.problem, me, me.detail()));
      segments.emplace_back(me, std::move(stage), programs.size() - 1);
    }
    // In each slot the segments that have begun and not ended take one step each, the oldest first.
    const auto is_over = [&](const Segment& segment) { return segment.next == programs[segment.program].ops.size(); };
    std::size_t oldest = 0;
    for (std::size_t begun = 1; oldest < segments.size(); ++begun) {
      for (std::size_t s = oldest; s < std::min(begun, segments.size()); ++s) {
        Segment& segment = segments[s];
        const Program& program = programs[segment.program];
        const std::size_t end = program.step_end(segment.next);
        segment.script.play(program, segment.next, end);
        segment.next = end;
      }
      me.wait();
      while (oldest < segments.size() && is_over(segments[oldest])) ++oldest;
    }
  };
}

}  // namespace tutti
