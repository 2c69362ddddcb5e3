/// @file
/// `tutti verify program FILE`: whether a program of one's own does what it says, over one number of ranks or several.

#include <fmt/format.h>

#include "app/command_line/files.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/user_commands.hpp"
#include "app/options/user_program_request.hpp"
#include "app/reports/program_report.hpp"
#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

std::string proved_text(const UserProgram& program) {
  const Traffic traffic = traffic_of(program.schedule);
  const std::string what =
      program.solves_problem
          ? fmt::format("proved{}, also where no send is buffered",
                        program.trace.text.empty()
                            ? ""
                            : fmt::format(" to compute {}", describe(program.schedule.problem, Unit::bytes)))
          : "every rank comes to its end, also where no send is buffered";
  const std::string values = values_text(program);
  return screen_text(fmt::format("{}: {}; {}, {}, {} in all", program.title, what, counted(traffic.rounds, "round"),
                                 counted(traffic.messages, "message"), text_of(Bytes{traffic.elements}))) +
         (values.empty() ? "" : '\n' + values);
}

// Proves the program over each number of ranks that it is for; the first failure ends that.
Outcome verify_over(const Request& request, RankRange ranks) {
  std::vector<int> proved;
  for (int p = ranks.first; p <= ranks.last; ++p) {
    Request one = request;
    one.ranks = RankRange{p, p};
    const UserProgram program = user_program(one);
    if (!program.trace.fits) continue;
    if (const auto failure = failure_of(program)) {
      if (request.json)
        return {
            Json{
                {"title", program.title}, {"ranks", p}, {"proved", false}, {"failure", failure_json(*failure, program)}}
                    .dump(2) +
                '\n',
            1};
      return {failure_text(*failure, program), 1};
    }
    proved.push_back(p);
  }
  const std::string& name = request.user_words.front();
  require(!proved.empty(), "{} is for none of {} to {} ranks; widen the range", name, ranks.first, ranks.last);
  if (request.json)
    return {Json{{"title", name}, {"ranks", proved}, {"proved", true}, {"failure", nullptr}}.dump(2) + '\n'};
  return {screen_text(
      fmt::format("{}: proved over {} ranks, also where no send is buffered", name, fmt::join(proved, ", ")))};
}

}  // namespace

Outcome verify_user_program(const Request& request) {
  const bool over_range =
      request.user_kind == UserKind::program && request.ranks && request.ranks->first != request.ranks->last;
  if (over_range) return verify_over(request, *request.ranks);
  const UserProgram program = user_program(request);
  const auto failure = failure_of(program);
  if (request.json) {
    Json fields{{"title", program.title}, {"ranks", program.schedule.problem.ranks}, {"proved", !failure}};
    fields["failure"] = failure ? failure_json(*failure, program) : Json(nullptr);
    add_values(fields, program);
    return {fields.dump(2) + '\n', failure ? 1 : 0, program.notes};
  }
  if (failure) return {failure_text(*failure, program), 1, program.notes};
  return {proved_text(program), 0, program.notes};
}

}  // namespace tutti::app
