#include "app/reports/explain/ideas_shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "base/text/split.hpp"
#include "draw/steps/frames.hpp"
#include "draw/steps/text_chart.hpp"
#include "schedule/model/choice.hpp"
#include "topology/families/families.hpp"

namespace tutti::app {
namespace {

constexpr int few_ranks_shown = 4;

// Steps of the algorithm over few ranks, a line each, below its name.
std::vector<std::string> charted(Collective collective, std::string_view algorithm) {
  const Problem problem{.collective = collective, .ranks = few_ranks_shown, .count = few_ranks_shown};
  const Choice choice(algorithms::fitting(problem, algorithm));
  const draw::Limits limits{.ranks = few_ranks_shown, .last = 8};
  const draw::ScheduleFrames frames = draw::frames_of(record(choice, problem), *full_topology(few_ranks_shown), limits);
  std::vector<std::string> lines{fmt::format("{} by {}", name_of(collective), algorithm)};
  const std::string chart = draw::chart_of(frames, 100).value_or("");
  for (const std::string_view line : split(chart, '\n')) {
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

std::string pairs_of_duals() {
  std::vector<std::vector<std::string>> rows{{"COLLECTIVE", "DUAL", "THE DUAL OF IT"}};
  for (const Collective collective : all_collectives()) {
    const auto dual = dual_of(collective);
    if (dual && collective < *dual) {
      rows.push_back({std::string(name_of(collective)), std::string(name_of(*dual)), std::string(meaning_of(*dual))});
    }
  }
  return screen_table(rows);
}

std::string loop_of_hypercubes() {
  const std::vector<std::vector<std::string>> fillings{
      {"COLLECTIVE", "INITIALIZATION", "OPERATION", "OUTPUT", "SENT IN STEP i", "TIME"},
      {"broadcast", "the source has X", "if X came, keep it", "X", "m, by ranks that have X", "(ts + tw m) d"},
      {"all-gather", "result := own block", "result := result U received", "result", "2^i m", "ts d + tw m (p - 1)"},
      {"all-reduce", "sum := x", "sum := sum + received", "sum", "m", "(ts + tw m) d"},
      {"prefix sum", "x := own number; sum := x", "sum := sum + received; if bit i of my_id is set, x := x + received",
       "x", "m (sum)", "(ts + tw m) d"},
      {"all-to-all", "a message for each rank", "keep messages for the own sub-cube, add those that came",
       "p messages, all for this rank", "m p/2", "(ts + tw m p/2) d"},
  };
  return "\n  Initialization\n  for i := 0 to d - 1 do\n    partner := my_id XOR 2^i\n    send to partner\n"
         "    receive from partner\n    Operation\n  endfor\n  Output\n\n" +
         screen_table(fillings, {4});
}

}  // namespace

std::string duals_side_by_side() {
  const std::vector<std::string> left = charted(Collective::broadcast, "binomial");
  const std::vector<std::string> right = charted(Collective::reduce, "binomial");
  TableRows rows;
  for (std::size_t k = 0; k < std::max(left.size(), right.size()); ++k)
    rows.push_back({k < left.size() ? left[k] : "", k < right.size() ? "| " + right[k] : "|"});
  return table_of(rows) + "\n" +
         screen_text("Read downwards, the steps of one are those of the other upwards, with arrows turned round.");
}

std::string idea_shown(std::string_view term) {
  if (term == "dual") return '\n' + pairs_of_duals() + '\n' + duals_side_by_side();
  if (term == "template") return loop_of_hypercubes();
  return {};
}

}  // namespace tutti::app
