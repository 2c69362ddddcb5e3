/// @file
/// `tutti textbook`: every row of the textbook, by its formula and by simulation.

#include "textbook/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/command_line/files.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/drawn_steps.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/request.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/pattern.hpp"
#include "base/units.hpp"
#include "textbook/figures.hpp"

namespace tutti::app {
namespace {

struct TextbookRequest : Request {
  textbook::Instance instance;
  std::optional<std::string> row;
  bool sources = false;
  bool markdown = false;
  std::optional<std::string> figures;
};

using Rows = std::vector<const textbook::Row*>;

Rows wanted(const TextbookRequest& request) {
  Rows found;
  std::vector<std::string_view> ids;
  for (const textbook::Row& row : textbook::rows()) {
    ids.push_back(row.id);
    if (!request.row || matches_pattern(row.id, *request.row)) found.push_back(&row);
  }
  if (!found.empty()) return found;
  const std::string& row = *request.row;
  const std::string_view near = nearest_name(row, ids);
  fail(ErrorCode::invalid_argument, "the textbook has no row '{}'; {}", row,
       near.empty() ? "'tutti textbook' lists them all" : fmt::format("the nearest is '{}'", near));
}

Json seconds_or_null(const std::optional<double>& time) { return time ? Json(*time) : Json(nullptr); }

Json json_of(const textbook::Row& row, const textbook::Answer& answer) {
  return Json{{"id", row.id},
              {"collective", row.collective},
              {"algorithm", row.algorithm},
              {"topology", row.topology},
              {"switching", name_of(row.switching)},
              {"formula", row.formula},
              {"closed_form_seconds", seconds_or_null(answer.closed_form)},
              {"simulated_seconds", seconds_or_null(answer.simulated)},
              {"bound_seconds", seconds_or_null(answer.bound)},
              {"agrees", answer.agrees},
              {"note", answer.note},
              {"sources", row.sources}};
}

std::string time_in_words(const std::optional<double>& time) { return time ? text_of(Seconds{*time}) : "-"; }

std::string verdict_of(const textbook::Answer& answer) {
  if (!answer.agrees) return "NO";
  if (!answer.simulated) return "-";
  return answer.bound ? "within" : "yes";
}

std::vector<std::string> cells_of(const textbook::Row& row, const textbook::Answer& answer, bool sources) {
  const std::string expected = answer.bound ? "<= " + time_in_words(answer.bound) : time_in_words(answer.closed_form);
  std::vector<std::string> cells{
      std::string(row.id), std::string(row.formula), expected, time_in_words(answer.simulated), verdict_of(answer),
      answer.note};
  if (sources) cells.emplace_back(row.sources);
  return cells;
}

Outcome run_rows(const TextbookRequest& request) {
  std::vector<std::vector<std::string>> table{{"ROW", "FORMULA", "CLOSED FORM", "SIMULATED", "AGREE", "NOTE"}};
  if (request.sources) table.front().emplace_back("SOURCE");
  Json objects = Json::array();
  int disagree = 0;
  int answered = 0;
  const Rows rows = wanted(request);
  const Progress progress = progress_bar("answering", rows.size());
  for (const textbook::Row* row : rows) {
    const textbook::Answer answer = row->answer(request.instance);
    if (progress) progress(objects.size() + 1);
    if (!answer.agrees) ++disagree;
    if (answer.simulated) ++answered;
    table.push_back(cells_of(*row, answer, request.sources));
    objects.push_back(json_of(*row, answer));
  }
  if (progress) clear_progress_bar();
  const int status = disagree == 0 ? 0 : 1;
  if (request.json) return {objects.dump(2) + '\n', status};
  return {
      fmt::format("{}\n{} for {} and {}: {} simulated, {} disagree\n", screen_table(table, {5, 6, 3, 4}),
                  counted(static_cast<std::int64_t>(objects.size()), "row"), counted(request.instance.ranks, "rank"),
                  text_of(Bytes{request.instance.bytes}), answered, disagree),
      status};
}

// The row's figures, each as a small picture that leads to the large one.
std::string figures_beside(const textbook::Row& row) {
  std::string text;
  for (const textbook::Figure& figure : textbook::figures()) {
    if (std::find(figure.rows.begin(), figure.rows.end(), row.id) == figure.rows.end()) continue;
    text += fmt::format("[<img src=\"figures/{0}.svg\" alt=\"{1}\" width=\"240\">](figures/{0}.svg) ", figure.name,
                        figure.caption);
  }
  return text;
}

// Without values: what does not depend on instance.
std::string markdown_table(const Rows& rows) {
  std::string text =
      "| row | network | algorithm | time | source | figure |\n"
      "|---|---|---|---|---|---|\n";
  for (const textbook::Row* row : rows) {
    text += fmt::format("| `{}` | {}, {} | {} | {} | {} | {}|\n", row->id, row->topology, name_of(row->switching),
                        row->algorithm, row->formula, row->sources, figures_beside(*row));
  }
  return text;
}

Outcome draw_figures(const std::string& folder) {
  std::string text;
  for (const textbook::Figure& figure : textbook::figures()) {
    const std::string file = fmt::format("{}/{}.svg", folder, figure.name);
    check_output_file(file, {".svg"});
    write_file(file, draw_steps({figure.problem, figure.choice, {}, figure.topology}).svg);
    text += fmt::format("{}: {}\n", file, figure.caption);
  }
  return {text};
}

void add_options(Command& command, TextbookRequest& request) {
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help, [&request, read](const std::string& text) { read(request, text); });
  };
  constexpr int most_ranks = 1 << 16;
  add("--ranks", "N", "How many ranks (64); 64 and 4096 fit every row",
      [](TextbookRequest& r, const std::string& text) {
        r.instance.ranks = static_cast<int>(parse_integer(text, "a number of ranks", 1, most_ranks));
      });
  add("--bytes", "SIZE", "m, by each collective's own convention (1KiB)",
      [](TextbookRequest& r, const std::string& text) {
        r.instance.bytes = parse_bytes(text).count;
        require(r.instance.bytes >= 1 && r.instance.bytes <= std::int64_t{1} << 40,
                "the rows need messages of 1 byte to 1 TiB, not {}", text);
      });
  add("--distance", "Q", "How far shifts go (5)", [](TextbookRequest& r, const std::string& text) {
    r.instance.distance = static_cast<int>(parse_integer(text, "a distance", 0, most_ranks));
  });
  add("--ts", "TIME", "alpha, for each message (1us)",
      [](TextbookRequest& r, const std::string& text) { r.instance.ts = parse_seconds(text).count; });
  add("--tw", "TIME", "beta, for each byte (1ns)",
      [](TextbookRequest& r, const std::string& text) { r.instance.tw = parse_seconds(text).count; });
  add("--th", "TIME", "for each hop (0.1us)",
      [](TextbookRequest& r, const std::string& text) { r.instance.th = parse_seconds(text).count; });
  add("--row", "ID", "One row, such as broadcast.ring.sf, or those that a pattern names: 'broadcast.*'",
      [](TextbookRequest& r, const std::string& text) { r.row = text; });
}

}  // namespace

void add_textbook(Command command, Chosen& chosen) {
  const auto request = std::make_shared<TextbookRequest>();
  add_options(command, *request);
  command.add_flag("--sources", request->sources, "Say where each row is taken from");
  command.add_flag("--json", request->json, "Print JSON; the command's reference names its fields");
  command.add_flag("--markdown", request->markdown, "Print the table of docs/textbook.md, without values");
  command.exclude("--markdown", "--json");
  add_value(command, *request, "--figures", "FOLDER", "Draw every figure into the folder, as SVG",
            [r = request.get()](const std::string& text) { r->figures = text; });
  command.set_footer(
      "Exit status 1 if a row disagrees.\n"
      "Examples:\n  tutti textbook\n  tutti textbook --ranks 256 --bytes 64KiB --ts 5us --json\n  tutti textbook "
      "--row all-to-all.tree.sf --sources\n  tutti textbook --row 'broadcast.*'");
  command.when_chosen([request, &chosen] {
    chosen = [request]() -> Outcome {
      read_values(*request);
      if (request->figures) return draw_figures(*request->figures);
      if (request->markdown) return {markdown_table(wanted(*request))};
      return run_rows(*request);
    };
  });
}

}  // namespace tutti::app
