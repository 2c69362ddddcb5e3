/// @file
/// Plot of `tutti plan`: time over size, a line an algorithm.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/commands/plan/planned.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/prices/price_plot.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/plots/plot.hpp"

namespace tutti::app {
namespace {

std::vector<draw::Series> lines_of(const Planned& planned) {
  std::vector<draw::Series> lines;
  const auto add = [](draw::Series& line, std::int64_t bytes, double seconds) {
    if (bytes > 0 && seconds > 0 && std::isfinite(seconds))
      line.samples.push_back({static_cast<double>(bytes), seconds});
  };
  for (const Algorithm* algorithm : algorithms_in(planned)) {
    draw::Series computed{std::string(algorithm->name), {}, draw::LineKind::computed};
    draw::Series dots{fmt::format("{} (measured)", algorithm->name), {}, draw::LineKind::measured};
    for (const PlannedSize& size : planned.sizes) {
      const PlanRow* const row = row_of(size, algorithm);
      if (row == nullptr) continue;
      add(computed, size.bytes, row->priced.seconds);
      if (row->measured) add(dots, size.bytes, *row->measured);
    }
    lines.push_back(std::move(computed));
    if (!dots.samples.empty()) lines.push_back(std::move(dots));
  }
  draw::Series bound{"bound", {}, draw::LineKind::bound};
  for (const PlannedSize& size : planned.sizes) add(bound, size.bytes, size.explanation.bound);
  lines.push_back(std::move(bound));
  return lines;
}

void put_on_line(std::vector<draw::Series>& lines, std::string_view name, const draw::Sample& sample) {
  const auto line = std::find_if(lines.begin(), lines.end(), [&](const draw::Series& each) {
    return each.kind == draw::LineKind::computed && each.name == name;
  });
  if (line == lines.end() || !(sample.y > 0) || !std::isfinite(sample.y)) return;
  const auto place = std::lower_bound(line->samples.begin(), line->samples.end(), sample.x,
                                      [](const draw::Sample& each, double x) { return each.x < x; });
  if (place == line->samples.end() || place->x != sample.x) line->samples.insert(place, sample);
}

// The height of a line where its algorithm takes over, with the parameters that the line has, too. All lines have a
// sample there, because between those of the sizes that were asked for they are drawn straight.
double seconds_at_begin(const PlanQuestion& question, const Term& term, std::vector<draw::Series>& lines) {
  const Problem problem = problem_of_size(question, term.sizes.least);
  std::optional<double> seconds;
  for (const Priced& each : ranking_of(problem, question.parameters, question.element_size, *question.model)) {
    put_on_line(lines, each.choice.algorithm->name, {static_cast<double>(term.sizes.least), each.seconds});
    if (each.choice.algorithm == term.algorithm) seconds = each.seconds;
  }
  return seconds ? *seconds
                 : question.model->seconds({*term.algorithm, question.parameters}, problem, question.element_size);
}

}  // namespace

std::string plan_plot(const Planned& planned) {
  const Explanation& told = planned.sizes.front().explanation;
  draw::Plot plot{
      .title = fmt::format("{} over {}", name_of(told.problem.collective), counted(told.problem.ranks, "rank")),
      .x = {"size, m", draw::AxisUnit::bytes},
      .y = {"time of a call", draw::AxisUnit::seconds},
      .series = lines_of(planned)};
  check_takes_time(plot);
  plot.notes = {told.costs};
  std::vector<const Algorithm*> winners;
  for (const Term& term : planned.winners) winners.push_back(term.algorithm);
  if (!winners.empty()) plot.notes.push_back(fastest_in_words(winners));
  constexpr std::size_t most_flags = 12;  // more of them hide the lines
  for (std::size_t k = 1; k < planned.winners.size() && plot.crossings.size() < most_flags; ++k) {
    const Term& term = planned.winners[k];
    const double seconds = seconds_at_begin(planned.question, term, plot.series);
    plot.crossings.push_back({{static_cast<double>(term.sizes.least), seconds},
                              fmt::format("from {}: {}", text_of(Bytes{term.sizes.least}), term.algorithm->name)});
  }
  return draw::svg_of(plot);
}

}  // namespace tutti::app
