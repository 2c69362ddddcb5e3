#include "app/reports/optimality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/proof_report.hpp"
#include "base/text/json.hpp"
#include "base/units.hpp"
#include "cost/bounds/optimality.hpp"
#include "draw/plots/small_plots.hpp"

namespace tutti::app {
namespace {

constexpr int most_ranks = 1024;

// Each three times a power of two, so that many numbers of segments divide it.
struct Size {
  std::string_view name;
  std::int64_t bytes;
};
constexpr std::array<Size, 3> sizes{
    {{"short", 12}, {"middle", std::int64_t{96} << 10}, {"long", std::int64_t{96} << 20}}};

// One collective at one size, for all numbers of ranks.
struct Row {
  Collective collective = Collective::broadcast;
  Size size;
  std::vector<Optimality> points;
};

std::vector<int> all_ranks() {
  std::vector<int> ranks(most_ranks - 1);
  std::iota(ranks.begin(), ranks.end(), 2);
  return ranks;
}

std::vector<Row> rows_of(const OptimalityRequest& request, const Machine& machine) {
  const std::vector<int> ranks = request.every ? all_ranks() : telling_ranks(most_ranks);
  std::vector<Row> rows;
  for (const Collective collective : all_collectives()) {
    if (request.collective && *request.collective != collective) continue;
    for (const Size& size : sizes) {
      if (collective == Collective::barrier && &size != sizes.data()) continue;
      Row& row = rows.emplace_back(Row{collective, size, {}});
      for (const int p : ranks) row.points.push_back(optimality(collective, p, size.bytes, machine));
    }
  }
  return rows;
}

using Measure = std::optional<BestAlgorithm> Optimality::*;

const Optimality* worst(const Row& row, Measure measure) {
  const Optimality* found = nullptr;
  for (const Optimality& point : row.points) {
    if (point.*measure && (!found || (point.*measure)->factor() > (found->*measure)->factor())) found = &point;
  }
  return found;
}

std::string worst_factor(const Row& row, Measure measure) {
  const Optimality* at = worst(row, measure);
  return at ? fmt::format("{:.2f}", (at->*measure)->factor()) : "-";
}

double mean_factor(const Row& row, Measure measure) {
  double sum = 0;
  double count = 0;
  for (const Optimality& point : row.points) {
    if (!(point.*measure)) continue;
    sum += std::log((point.*measure)->factor());
    ++count;
  }
  return std::exp(sum / count);
}

std::string rows_table(const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> cells{
      {"COLLECTIVE", "MESSAGES", "ROUNDS", "VOLUME", "TIME", "MEAN", "WORST AT"}};
  for (const Row& row : rows) {
    const Optimality* at = worst(row, &Optimality::time);
    const bool barrier = row.collective == Collective::barrier;
    cells.push_back({std::string(name_of(row.collective)), barrier ? "-" : std::string(row.size.name),
                     worst_factor(row, &Optimality::rounds), worst_factor(row, &Optimality::volume),
                     worst_factor(row, &Optimality::time), fmt::format("{:.2f}", mean_factor(row, &Optimality::time)),
                     at ? fmt::format("{} {}", at->ranks, at->time->algorithm->name) : "-"});
  }
  return screen_table(cells, {6, 5});
}

bool is_about(const std::vector<Row>& rows, const OpenQuestion& question) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.collective == question.collective; });
}

std::string report_of(const std::vector<Row>& rows, const Machine& machine) {
  std::string text = screen_text(fmt::format(
      "How many times the lower bound the best algorithm takes, of p = 2 to {} fully connected ranks with one port, "
      "the worst of them; for time the mean, too. ts = {}, tw = {}; short is {}, middle {}, long {}.",
      most_ranks, text_of(Seconds{machine.ts}), text_of(Seconds{machine.tw}), text_of(Bytes{sizes[0].bytes}),
      text_of(Bytes{sizes[1].bytes}), text_of(Bytes{sizes[2].bytes})));
  text += '\n' + rows_table(rows) + "\nWhat is known where the best is not at the bound:\n";
  for (const OpenQuestion& question : open_questions()) {
    if (!is_about(rows, question)) continue;
    text += titled(fmt::format("  {}, {}", name_of(question.collective), question.measure),
                   fmt::format("{} ({})", question.text, question.source), 25);
  }
  return text;
}

Json standing_json(const std::optional<BestAlgorithm>& standing) {
  if (!standing) return nullptr;
  return Json{{"factor", standing->factor()},
              {"least", standing->least},
              {"bound", standing->bound},
              {"algorithm", standing->algorithm->name},
              {"segments", standing->segments == 0 ? Json(nullptr) : Json(standing->segments)},
              {"exact", standing->exact}};
}

Json rows_json(const std::vector<Row>& rows, const Machine& machine) {
  Json measured = Json::array();
  for (const Row& row : rows) {
    for (const Optimality& point : row.points) {
      measured.push_back({{"collective", name_of(row.collective)},
                          {"messages", row.size.name},
                          {"bytes", point.bytes},
                          {"ranks", point.ranks},
                          {"rounds", standing_json(point.rounds)},
                          {"volume", standing_json(point.volume)},
                          {"time", standing_json(point.time)}});
    }
  }
  Json open = Json::array();
  for (const OpenQuestion& question : open_questions()) {
    if (!is_about(rows, question)) continue;
    open.push_back({{"collective", name_of(question.collective)},
                    {"measure", question.measure},
                    {"known", question.text},
                    {"source", question.source}});
  }
  return Json{
      {"machine", {{"ts", machine.ts}, {"tw", machine.tw}, {"tc", machine.tc}}}, {"points", measured}, {"open", open}};
}

std::vector<draw::Sample> samples_of(const Row& row, Measure measure) {
  std::vector<draw::Sample> samples;
  for (const Optimality& point : row.points) {
    if (point.*measure) samples.push_back({static_cast<double>(point.ranks), (point.*measure)->factor()});
  }
  return samples;
}

std::string picture_of(const std::vector<Row>& rows, const Machine& machine) {
  draw::SmallPlots panels{.title = "How many times the lower bound the best algorithm takes",
                          .x = {"ranks, p (logarithmic)", draw::AxisUnit::number},
                          .x_marks = {2, 16, 128, most_ranks},
                          .y = {"times the bound (logarithmic)", draw::AxisUnit::number},
                          .panels = {},
                          .notes = {fmt::format("fully connected ranks with one port, ts = {}, tw = {}",
                                                text_of(Seconds{machine.ts}), text_of(Seconds{machine.tw}))}};
  for (const Row& row : rows) {
    const std::string title(name_of(row.collective));
    if (panels.panels.empty() || panels.panels.back().title != title) panels.panels.push_back({title, {}});
    std::vector<draw::Series>& series = panels.panels.back().series;
    const std::string bytes = text_of(Bytes{row.size.bytes});
    const auto add = [&](std::string name, Measure measure) {
      series.push_back({std::move(name), samples_of(row, measure), draw::LineKind::computed});
    };
    add(fmt::format("time, {}", bytes), &Optimality::time);
    if (row.size.bytes == sizes.front().bytes) add("rounds", &Optimality::rounds);
    if (row.size.bytes == sizes.back().bytes) add(fmt::format("volume, {}", bytes), &Optimality::volume);
  }
  return draw::svg_of(panels);
}

}  // namespace

Outcome list_optimality(const OptimalityRequest& request) {
  if (request.plot) check_picture_file(*request.plot);
  const Machine machine;
  const std::vector<Row> rows = rows_of(request, machine);
  if (request.plot) write_picture(*request.plot, picture_of(rows, machine));
  if (request.json) return {rows_json(rows, machine).dump(2) + '\n'};
  return {report_of(rows, machine)};
}

}  // namespace tutti::app
