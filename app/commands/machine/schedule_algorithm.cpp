#include "app/commands/machine/schedule_algorithm.hpp"

#include <memory>
#include <utility>

#include "algorithms/own.hpp"
#include "base/check.hpp"
#include "verify/verify.hpp"

namespace tutti::app {
namespace {

void record(Script& me, const Schedule& schedule) {
  const Program& program = schedule.programs[static_cast<std::size_t>(me.rank())];
  me.scratch(0, program.scratch);
  for (std::size_t at = 0; at < program.ops.size();) {
    const std::size_t end = program.step_end(at);
    me.play(program, at, end);
    me.wait();
    at = end;
  }
}

}  // namespace

std::vector<std::string> add_schedule(const std::string& name, UserProgram program) {
  if (!program.solves_problem)
    fail(ErrorCode::unsupported,
         "{} is of a custom collective, which has no call; 'tutti simulate schedule' says its time", name);
  std::vector<std::string> notes = std::move(program.notes);
  if (const auto failure = failure_of(program)) {
    if (!is_of_bits_alone(*failure)) fail(ErrorCode::unsupported, "{}: {}", name, describe(*failure));
    notes.push_back(note_on_bits(*failure, name));
  }
  const Problem& asked = program.schedule.problem;
  Algorithm algorithm{.collective = asked.collective,
                      .summary = "What the file says.",
                      .when = "For the network and the message that it was made for.",
                      .source = "the file"};
  if (reduces(asked.collective) && asked.commutative) algorithm.needs = {Need::commutative_operator};
  const auto kept = std::make_shared<const Schedule>(std::move(program.schedule));
  algorithm.record = [kept, name](Script& me, const Problem& problem) {
    Problem alike = kept->problem;
    alike.commutative = problem.commutative;
    require(problem == alike, "{} is a schedule of {}, not of {}", name, describe(kept->problem), describe(problem));
    record(me, *kept);
  };
  algorithms::add_own(name, std::move(algorithm));
  return notes;
}

}  // namespace tutti::app
