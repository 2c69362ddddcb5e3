/// @file
/// Recordings of a text: on one rank, or on all.

#include <utility>

#include "schedule/record/script.hpp"

namespace tutti {

Program record_rank(RecordingContext& context, const Record& record, const Problem& problem, int rank,
                    const Parameters& parameters, const Layout& layout) {
  Program program;
  record_rank(context, record, problem, rank, program, parameters, layout);
  return program;
}

Program record_rank(const Record& record, const Problem& problem, int rank, const Parameters& parameters,
                    const Layout& layout) {
  RecordingContext context;
  return record_rank(context, record, problem, rank, parameters, layout);
}

Program record_rank(const Record& record, const Problem& problem, const Script& told, Detail detail) {
  Program program;
  program.ops.reserve(16);
  program.pool.reserve(32);
  Script script(problem, program, told, detail);
  record(script, problem);
  script.wait();
  return program;
}

void record_turned_round(const Record& record, const Problem& problem, Script& whole) {
  Script script(problem, whole);
  record(script, problem);
  script.wait();
}

void record_rank(RecordingContext& context, const Record& record, const Problem& problem, int rank, Program& program,
                 const Parameters& parameters, const Layout& layout, Detail detail) {
  program.ops.clear();
  program.pool.clear();
  program.phases.clear();
  program.pruned.clear();
  program.scratch = 0;
  Script script(context, problem, rank, program, parameters, layout, detail);
  record(script, problem);
  script.wait();
}

void record_rank(const Record& record, const Problem& problem, int rank, Program& program, const Parameters& parameters,
                 const Layout& layout, Detail detail) {
  RecordingContext context;
  record_rank(context, record, problem, rank, program, parameters, layout, detail);
}

Schedule record_all(RecordingContext& context, const Record& record, const Problem& problem,
                    const Parameters& parameters, const Layout& layout) {
  Schedule schedule{problem, {}, layout};
  schedule.programs.reserve(static_cast<std::size_t>(problem.ranks));
  const ProblemScope scope(context, problem);
  for (int rank = 0; rank < problem.ranks; ++rank) {
    Program program;
    if (rank > 0) {  // ranks of about equal size
      program.ops.reserve(schedule.programs.back().ops.size());
      program.pool.reserve(schedule.programs.back().pool.size());
    }
    record_rank(context, record, problem, rank, program, parameters, layout);
    schedule.programs.push_back(std::move(program));
  }
  return schedule;
}

Schedule record_all(const Record& record, const Problem& problem, const Parameters& parameters, const Layout& layout) {
  RecordingContext context;
  return record_all(context, record, problem, parameters, layout);
}

}  // namespace tutti
