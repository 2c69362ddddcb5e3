#include "app/reports/program_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/command_line/terminal.hpp"

namespace tutti::app {
namespace {

std::vector<std::pair<std::string, std::string>> texts_of(const UserProgram& program, const std::vector<int>& ranks) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const int rank : ranks) {
    if (static_cast<std::size_t>(rank) < program.texts.size())
      texts.emplace_back(fmt::format("rank {}:", rank), program.texts[static_cast<std::size_t>(rank)]);
  }
  return texts;
}

// The line of the text that the failure's step comes from, from 1; 0 where there is none.
int line_of(const ProofFailure& failure, const UserProgram& program) {
  const auto& lines = program.trace.lines;
  if (failure.rank < 0 || failure.step < 1 || static_cast<std::size_t>(failure.rank) >= lines.size()) return 0;
  const std::vector<int>& mine = lines[static_cast<std::size_t>(failure.rank)];
  const auto step = static_cast<std::size_t>(failure.step) - 1;
  return step < mine.size() ? mine[step] : 0;
}

std::string_view without_blanks(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
}

std::vector<std::vector<std::string>> value_rows(const UserProgram& program) {
  std::vector<std::vector<std::string>> rows;
  const ProgramTrace& trace = program.trace;
  for (const PrintedRow& row : trace.printed) {
    rows.push_back({row.what});
    rows.back().insert(rows.back().end(), row.values.begin(), row.values.end());
  }
  if (trace.outcome_name.empty()) return rows;
  rows.push_back({trace.outcome_name + " at the end"});
  rows.back().insert(rows.back().end(), trace.outcome.begin(), trace.outcome.end());
  return rows;
}

}  // namespace

std::vector<std::string> program_lines(const UserProgram& program, const std::vector<int>& ranks) {
  std::vector<std::string> lines;
  for (const auto& [rank, text] : texts_of(program, ranks)) lines.push_back(rank + ' ' + text);
  return lines;
}

std::string failure_text(const ProofFailure& failure, const UserProgram& program) {
  std::string words = screen_text(fmt::format("{}: {}", program.title, describe(failure)));
  for (const auto& [rank, text] : texts_of(program, failure.cycle)) words += titled("  " + rank, text, 0);
  const int line = program.trace.fault ? 0 : line_of(failure, program);
  if (line > 0)
    words += titled(fmt::format("  line {}:", line),
                    without_blanks(program.trace.text[static_cast<std::size_t>(line) - 1]), 0);
  if (!program.trace.fits)
    words += screen_text(
        fmt::format("The program needs {}; with --patch ranks run virtual processes besides.", program.trace.needs));
  return words;
}

Json failure_json(const ProofFailure& failure, const UserProgram& program) {
  Json fields{{"kind", name_of(failure.kind)},
              {"rank", failure.rank},
              {"step", failure.step},
              {"slice", failure.slice},
              {"reason", failure.reason}};
  if (!failure.cycle.empty()) fields["cycle"] = failure.cycle;
  if (const int line = line_of(failure, program); line > 0) fields["line"] = line;
  return fields;
}

std::string values_text(const UserProgram& program) {
  std::vector<std::vector<std::string>> rows = value_rows(program);
  if (rows.empty()) return {};
  std::vector<std::string> head{"VALUE"};
  for (std::size_t rank = 0; rank + 1 < rows.front().size(); ++rank) head.push_back(fmt::format("RANK {}", rank));
  rows.insert(rows.begin(), std::move(head));
  return screen_table_in_parts(rows);
}

void add_values(Json& fields, const UserProgram& program) {
  const ProgramTrace& trace = program.trace;
  if (!trace.printed.empty()) {
    Json printed = Json::array();
    for (const PrintedRow& row : trace.printed) printed.push_back({{"what", row.what}, {"values", row.values}});
    fields["printed"] = printed;
  }
  if (!trace.outcome_name.empty()) fields["outcome"] = {{"what", trace.outcome_name}, {"values", trace.outcome}};
}

}  // namespace tutti::app
