/// @file
/// Programs as text.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/units.hpp"
#include "user_programs/language/joint_run.hpp"
#include "user_programs/user_program.hpp"

namespace tutti {
namespace {

using language::Code;
using language::RankNeed;
using language::RankRun;
using language::RunShape;

constexpr int most_ranks_with_data = 1 << 12;

int ranks_of(const Code& code, int asked) {
  require(code.ranks == 0 || asked == 0 || code.ranks == asked, "{} is for {}, and the command line says {}",
          code.name.name, counted(code.ranks, "rank"), asked);
  constexpr int few = 8;
  constexpr int square = 9;
  int ranks = std::max(code.ranks, asked);
  if (ranks == 0) ranks = static_cast<int>(code.values.size());
  if (ranks == 0 && code.highest_at.line > 0) ranks = code.highest + 1;
  if (ranks == 0) ranks = code.need == RankNeed::square ? square : few;
  if (code.highest >= ranks)
    code.name.refuse(code.highest_at, "it speaks of rank {}, and there are ranks 0 to {}", code.highest, ranks - 1);
  require(!code.has_data() || ranks <= most_ranks_with_data, "programs with data run over 1 to {} ranks, not {}",
          most_ranks_with_data, ranks);
  return ranks;
}

// Processes of the program: as many as it needs, if virtual ones may be added.
int processes_of(const Code& code, int ranks, bool patch) {
  if (!patch || fits(code.need, ranks)) return ranks;
  if (code.need == RankNeed::power_of_two) return ceil_power_of_two(ranks);
  const auto side = static_cast<int>(std::ceil(std::sqrt(ranks)));
  return side * side;
}

RunShape shape_of(const Code& code, const ProgramRequest& request) {
  RunShape shape;
  shape.real = ranks_of(code, request.ranks);
  shape.ranks = processes_of(code, shape.real, request.patch);
  shape.bytes = request.bytes;
  shape.root = request.root.value_or(0);
  require(shape.root >= 0 && shape.root < shape.real, "the root {} is not one of the ranks 0 to {}", shape.root,
          shape.real - 1);
  require(code.computes || !request.root, "{} computes no collective; leave --root out", code.name.name);
  if (!code.computes) return shape;
  shape.problem = {.collective = code.computes->collective, .ranks = shape.real, .count = request.bytes};
  Code numbers_alone;
  numbers_alone.name = code.name;
  numbers_alone.names = code.names;
  RankRun before(numbers_alone, shape, 0);
  if (code.computes->distance)
    shape.problem.distance = static_cast<int>(before.number(*code.computes->distance) % shape.real);
  if (has_root(shape.problem.collective)) {
    const std::int64_t root = code.computes->root ? before.number(*code.computes->root) : shape.root;
    require(root >= 0 && root < shape.real, "{} has the root {}, and there are ranks 0 to {}", code.name.name, root,
            shape.real - 1);
    require(!request.root || root == shape.root, "{} has the root {}; leave --root out", code.name.name, root);
    shape.problem.root = static_cast<int>(root);
  } else {
    require(!request.root, "{} has no root; leave --root out", name_of(shape.problem.collective));
  }
  check(shape.problem);
  return shape;
}

std::vector<PrintedRow> printed_by(const std::vector<RankRun>& runs) {
  std::size_t most = 0;
  for (const RankRun& run : runs) most = std::max(most, run.printed().size());
  std::vector<PrintedRow> rows(most);
  for (const RankRun& run : runs) {
    for (std::size_t row = 0; row < most; ++row) {
      const bool has = row < run.printed().size();
      if (has) rows[row].what = run.printed()[row].what;
      rows[row].values.push_back(has ? run.printed()[row].value : "");
    }
  }
  return rows;
}

// Actions of a rank in words, at most so much of it that a line can hold.
std::string text_of(const std::vector<std::string>& actions) {
  constexpr std::size_t most = 24;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, actions.size()); ++k) text += (k == 0 ? "" : "; ") + actions[k];
  return actions.size() > most ? text + "; …" : text;
}

ProgramTrace trace_of(const Code& code, const RunShape& shape, const std::vector<RankRun>& runs) {
  ProgramTrace trace;
  trace.text = code.lines;
  trace.printed = printed_by(runs);
  trace.needs = in_words(code.need);
  trace.fits = fits(code.need, shape.ranks);
  for (const RankRun& run : runs) {
    trace.visits.push_back(run.visits());
    if (run.fault() && !trace.fault) trace.fault = run.fault();
  }
  if (!code.computes) return trace;
  trace.outcome_name = code.names[static_cast<std::size_t>(code.computes->output)];
  for (int rank = 0; rank < shape.real; ++rank) {
    const RankRun& run = runs[static_cast<std::size_t>(rank)];
    trace.outcome.push_back(run.outcome().empty() ? "" : run.text_of(run.outcome()));
  }
  return trace;
}

std::vector<std::int64_t> scratch_of(const std::vector<RankRun>& runs, int real) {
  std::vector<std::int64_t> scratch(static_cast<std::size_t>(real));
  for (std::size_t process = 0; process < runs.size(); ++process)
    scratch[static_cast<std::size_t>(language::host_of(static_cast<int>(process), real))] += runs[process].scratch();
  return scratch;
}

}  // namespace

UserProgram program_of_text(std::string_view text, const std::string& name, const ProgramRequest& request) {
  Code code = language::code_of(text, name);
  const RunShape shape = shape_of(code, request);
  UserProgram program;
  if (!code.values.empty() && static_cast<int>(code.values.size()) != shape.real) {
    program.notes.push_back(fmt::format("{} has values for {}; over {} they have names", name,
                                        counted(static_cast<std::int64_t>(code.values.size()), "rank"), shape.real));
    code.values.clear();
  }
  const std::vector<RankRun> runs = language::run_together(code, shape);
  program.title = fmt::format("{} over {}", code.name.name, counted(shape.real, "rank"));
  program.trace = trace_of(code, shape, runs);
  for (int rank = 0; rank < shape.real; ++rank)
    program.texts.push_back(text_of(runs[static_cast<std::size_t>(rank)].actions()));
  const auto steps = language::steps_of_ranks(runs, shape.real);
  program.solves_problem = code.has_data();
  program.schedule = code.has_data() ? language::schedule_of_steps(shape.problem, steps, scratch_of(runs, shape.real),
                                                                   program.trace.lines)
                                     : language::schedule_of_bare_messages(steps, program.trace.lines);
  program.computing = language::with_operations(program.schedule, steps);
  if (shape.patched())
    program.notes.push_back(fmt::format("the program needs {}: {} run besides the {} ranks' own", in_words(code.need),
                                        counted(shape.ranks - shape.real, "virtual process", "virtual processes"),
                                        shape.real));
  return program;
}

bool promises(std::string_view text, const std::string& name, int ranks) {
  return fits(language::code_of(text, name).need, ranks);
}

}  // namespace tutti
