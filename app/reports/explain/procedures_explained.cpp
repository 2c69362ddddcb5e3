#include "app/reports/explain/procedures_explained.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/command_line/terminal.hpp"
#include "app/options/user_program_request.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/program_report.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "user_programs/procedures.hpp"
#include "user_programs/user_program.hpp"

namespace tutti::app {
namespace {

constexpr int most_ranks_listed = 16;

std::string name_of(const ProcedureText& procedure) {
  return fmt::format("{}{}", procedure.procedure->name, procedure.mended ? "-mended" : "");
}

// Returns the rank's actions at the line, each time that it comes to it.
std::string visits_of(const std::vector<LineVisit>& visits, int line) {
  std::string text;
  for (const LineVisit& visit : visits) {
    if (visit.line == line) text += (text.empty() ? "" : "; ") + visit.what;
  }
  return text;
}

std::string_view without_comment(std::string_view line) {
  for (const char* begin : {"#", "//", "/*"}) line = line.substr(0, line.find(begin));
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

// Lines of the head say what the program is, and not what ranks do.
bool is_of_head(std::string_view line) {
  constexpr std::array heads{"#", "needs ", "computes ", "values "};
  return line.empty() ||
         std::any_of(heads.begin(), heads.end(), [&](const char* head) { return line.starts_with(head); });
}

Json json_of_procedure(const ProcedureText& text, const UserProgram& program) {
  Json ranks = Json::array();
  for (const std::vector<LineVisit>& mine : program.trace.visits) {
    Json visits = Json::array();
    for (const LineVisit& visit : mine) visits.push_back({{"line", visit.line}, {"does", visit.what}});
    ranks.push_back(visits);
  }
  const Procedure& procedure = *text.procedure;
  return Json{{"procedure", name_of(text)},
              {"title", procedure.title},
              {"collective", name_of(procedure.collective)},
              {"algorithm", procedure.algorithm},
              {"mistake", text.mended ? "" : procedure.mistake},
              {"lines", program.trace.text},
              {"ranks", ranks}};
}

std::string table_of(const UserProgram& program) {
  const auto& visits = program.trace.visits;
  std::vector<std::vector<std::string>> rows{{"LINE", "TEXT"}};
  for (std::size_t rank = 0; rank < visits.size(); ++rank) rows.front().push_back(fmt::format("RANK {}", rank));
  for (std::size_t k = 0; k < program.trace.text.size(); ++k) {
    if (is_of_head(program.trace.text[k])) continue;
    rows.push_back({fmt::format("{}", k + 1), std::string(without_comment(program.trace.text[k]))});
    for (const auto& mine : visits) rows.back().push_back(visits_of(mine, static_cast<int>(k) + 1));
  }
  // The last ranks give way on a narrow screen.
  std::vector<std::size_t> last_ranks;
  for (std::size_t column = rows.front().size(); column-- > 3;) last_ranks.push_back(column);
  return screen_table(rows, last_ranks, "The screen has no room for the other ranks; --json has them all.");
}

// `root` as it was given; hints for programs that have a root keep it.
std::string explained(const ProcedureText& text, const UserProgram& program, const std::optional<int>& root) {
  const Procedure& procedure = *text.procedure;
  const int ranks = program.schedule.problem.ranks;
  const std::string name = name_of(text);
  const std::string problem = fmt::format("--ranks {}{}", ranks, root ? fmt::format(" --root {}", *root) : "");
  const auto failure = failure_of(program);
  const std::string as = text.mended                 ? "as mended"
                         : procedure.mistake.empty() ? "as printed: it is right"
                                                     : "as printed";
  std::string words =
      screen_text(fmt::format("{}: {}, over {}, {}. It is {} by {}.", name, procedure.title, counted(ranks, "rank"), as,
                              name_of(procedure.collective), procedure.algorithm)) +
      fmt::format("\n{}\n", table_of(program)) +
      screen_text(
          "Beside a line stands what the rank does there, each time that it comes to it: the value that it sets, or "
          "the rank that it sends to or receives from. A message is m long; \"3 m to 2\" sends one of 3 m.");
  if (failure) words += failure_text(*failure, program);
  if (!text.mended && !procedure.mistake.empty()) {
    words += screen_text(std::string(procedure.mistake));
    words += "As mended:\n" + screen_command(fmt::format("tutti explain {}-mended {}", name, problem));
  }
  const bool waits_first = failure && failure->kind == ProofFailure::Kind::deadlock;
  return words + "Run it:\n" + screen_command(fmt::format("tutti verify program {} {}", name, problem)) +
         screen_command(
             fmt::format("tutti simulate program {} {}{}", name, problem, waits_first ? " --eager 1MiB" : "")) +
         "The same algorithm in the catalogue:\n" +
         screen_command(fmt::format("tutti explain {} --algorithm {} {} --steps", name_of(procedure.collective),
                                    procedure.algorithm, problem));
}

}  // namespace

Outcome explain_procedure(const ProcedureText& procedure, const Request& request) {
  Request program_request = request;
  program_request.user_kind = UserKind::program;
  program_request.user_words = {name_of(procedure)};
  const UserProgram program = user_program(program_request);
  const int ranks = program.schedule.problem.ranks;
  require(request.json || ranks <= most_ranks_listed,
          "{} ranks do not fit beside a procedure; take at most {}, or --json", ranks, most_ranks_listed);
  return {request.json ? json_of_procedure(procedure, program).dump(2) + '\n'
                       : explained(procedure, program, request.root)};
}

Outcome explain_procedures(bool json) {
  std::vector<std::vector<std::string>> rows{{"NAME", "TEXT", "IS", "NEEDS", "AS PRINTED"}};
  Json all = Json::array();
  for (const Procedure& each : procedures()) {
    const std::string is = fmt::format("{} by {}", name_of(each.collective), each.algorithm);
    rows.push_back({std::string(each.name), std::string(each.title), is,
                    std::string(each.needs.empty() ? "any ranks" : each.needs),
                    each.mistake.empty() ? "right" : fmt::format("mended in {}-mended", each.name)});
    all.push_back({{"name", each.name},
                   {"title", each.title},
                   {"collective", name_of(each.collective)},
                   {"algorithm", each.algorithm},
                   {"needs", each.needs},
                   {"mistake", each.mistake}});
  }
  return {json ? all.dump(2) + '\n' : screen_table(rows, {3, 4})};
}

}  // namespace tutti::app
