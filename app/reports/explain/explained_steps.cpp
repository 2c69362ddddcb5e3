#include "app/reports/explain/explained_steps.hpp"

#include <fmt/format.h>

#include "app/command_line/terminal.hpp"
#include "draw/steps/frames.hpp"
#include "draw/steps/text_chart.hpp"
#include "schedule_file/schedule_file.hpp"

namespace tutti::app {
namespace {

// The list of a rank's steps, each the list of its operations in words.
Json steps_json(const Program& program) {
  Json steps = Json::array();
  for (std::size_t begin = 0; begin < program.ops.size(); begin = program.step_end(begin)) {
    Json step = Json::array();
    for (std::size_t k = begin; k < program.step_end(begin); ++k) step.push_back(text_of(program, program.ops[k]));
    steps.push_back(step);
  }
  return steps;
}

// The rank's pruned sends, the steps numbered from 1.
Json pruned_json(const Program& program) {
  Json sends = Json::array();
  int step = 1;
  auto next = program.pruned.begin();
  for (std::size_t begin = 0; begin < program.ops.size(); begin = program.step_end(begin), ++step) {
    for (; next != program.pruned.end() && next->op < program.step_end(begin); ++next)
      sends.push_back({{"step", step}, {"to", next->to}});
  }
  return sends;
}

// The text so indented that it may stand `levels` deep in another.
std::string nested(const std::string& text, std::size_t levels) {
  std::string result;
  for (const char each : text) {
    result += each;
    if (each == '\n') result.append(2 * levels, ' ');
  }
  return result;
}

// Writes a list of what `of` makes of each rank's program.
template <typename Of>
void write_list(const Asked& asked, const Sink& write, const Of& of) {
  write("[");
  for_each_program(asked, [&](int rank, const Program& program) {
    write(rank == 0 ? "\n    " : ",\n    ");
    write(nested(of(program).dump(2), 2));
  });
  write("\n  ]");
}

// Lines of 100 letters are still read easily if nobody sees a terminal.
int chart_columns() { return line_width() > 0 ? line_width() : 100; }
constexpr draw::Limits chart_limits{.ranks = draw::most_ranks_charted, .last = 32};

draw::ChartStyle ink_of_output() { return output_has_colors() ? draw::ChartStyle::terminal : draw::ChartStyle::plain; }

}  // namespace

void write_with_steps(const Json& fields, const Asked& asked, const Sink& write) {
  const std::string text = fields.dump(2);
  write(std::string_view(text).substr(0, text.size() - 2));
  write(",\n  \"steps\": ");
  write_list(asked, write, steps_json);
  write(",\n  \"operations\": ");
  write_list(asked, write, operations_json);
  write(",\n  \"pruned\": ");
  write_list(asked, write, pruned_json);
  write("\n}\n");
}

std::int64_t pruned_sends(const Asked& asked) {
  constexpr std::int64_t most_messages = std::int64_t{1} << 16;
  std::int64_t sends = 0;
  if (recorded_size(asked.choice, asked.problem, asked.layout).effort() > most_messages) return sends;
  for_each_program(asked,
                   [&](int, const Program& program) { sends += static_cast<std::int64_t>(program.pruned.size()); });
  return sends;
}

std::string chart_text(const Asked& asked, const std::string& drawing) {
  const auto& [problem, choice, layout, why, unit] = asked;
  if (problem.ranks <= chart_limits.ranks) {
    // Charts show no routes, so any network will do.
    const draw::ScheduleFrames frames =
        draw::frames_of(record(choice, problem, layout), *full_topology(problem.ranks), chart_limits);
    if (const auto chart = draw::chart_of(frames, chart_columns(), ink_of_output()))
      return frames.legend.empty() || frames.shown.empty() ? *chart : *chart + '\n' + screen_text(frames.legend);
  }
  return screen_text(fmt::format(
             "The steps over {} ranks need more than {} columns; ask for fewer ranks, or draw them:", problem.ranks,
             chart_columns())) +
         screen_command(drawing);
}

void write_listing(const Asked& asked, const Sink& write) {
  write('\n' + screen_text(describe(asked.problem, asked.unit) + ", each rank with its own steps"));
  for_each_program(asked, [&](int rank, const Program& program) {
    write(screen_listing(text_of_rank(rank, program, asked.layout)));
  });
}

}  // namespace tutti::app
