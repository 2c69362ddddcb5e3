/// @file
/// An algorithm over segments of the message, overlapped.

#include <algorithm>
#include <vector>

#include "schedule/combinators/combinators.hpp"

namespace tutti {
namespace {

/// A part of the message on its way.
struct PipelineSegment {
  std::int64_t first;   // its first element
  std::size_t program;  // index among the programs of its size
  std::size_t next = 0;
};

}  // namespace

Record pipelined(const Algorithm& algorithm) {
  return [&algorithm](Script& me, const Problem& problem) {
    const Blocks parts = Blocks::parts_of(problem.count, me.segments_for(problem.count));
    std::vector<PipelineSegment> segments;
    segments.reserve(static_cast<std::size_t>(parts.size()));
    std::vector<Program> programs;  // segments of the same size, which follow one another, have the same
    Problem part = problem;
    for (int s = 0; s < parts.size(); ++s) {
      if (s == 0 || parts.count(s) != parts.count(s - 1)) {
        part.count = parts.count(s);
        programs.push_back(record_rank(algorithm.record, part, me, me.detail()));
      }
      segments.push_back({parts.first(s), programs.size() - 1});
    }
    // In each slot the segments that have begun and not ended take one step each, the oldest first.
    const auto is_over = [&](const PipelineSegment& segment) {
      return segment.next == programs[segment.program].ops.size();
    };
    std::size_t oldest = 0;
    for (std::size_t begun = 1; oldest < segments.size(); ++begun) {
      for (std::size_t s = oldest; s < std::min(begun, segments.size()); ++s) {
        PipelineSegment& segment = segments[s];
        const Program& program = programs[segment.program];
        const std::size_t end = program.step_end(segment.next);
        me.play(program, segment.next, end, segment.first);
        segment.next = end;
      }
      me.wait();
      while (oldest < segments.size() && is_over(segments[oldest])) ++oldest;
    }
  };
}

}  // namespace tutti
