#include "app/commands/machine/bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/plots/plot.hpp"
#include "measure/machine.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::app {
namespace {

constexpr double microsecond = 1e-6;

bool has_size(const BenchRow& row) { return row.cell.collective != Collective::barrier; }

double bus_bandwidth_of(const BenchRow& row) { return measure::bus_bandwidth(row.cell, row.measured.summary.median); }

double part_of_limit(const BenchRow& row) { return limit_of(row) / row.measured.summary.median; }

bool is_below_limit(const BenchRow& row) { return limit_of(row) > row.measured.summary.median; }

std::string part_in_words(const BenchRow& row) {
  if (limit_of(row) <= 0) return "-";
  return fmt::format("{:.1f} %{}", 100 * part_of_limit(row), is_below_limit(row) ? " *" : "");
}

std::string collective_of(const BenchRun& run) { return std::string(name_of(run.rows.front().cell.collective)); }

std::string setting_of(const BenchRun& run) {
  const int ranks = run.rows.front().cell.ranks;
  return fmt::format("{} over {} ({})", collective_of(run), counted(ranks, "rank"), name_of(run.transport));
}

}  // namespace

double limit_of(const BenchRow& row) { return std::min(row.limit_before, row.limit_after); }

std::string why_below_limit(const BenchRow& row) {
  if (!is_below_limit(row)) return {};
  const double most = std::max(row.limit_before, row.limit_after);
  constexpr double steady = 1.1;
  if (most > steady * limit_of(row)) {
    return fmt::format("the machine changed while it was measured: its limit was {} before the calls and {} after them",
                       text_of(Seconds{row.limit_before}), text_of(Seconds{row.limit_after}));
  }
  const measure::Summary& summary = row.measured.summary;
  if (summary.p99 > steady * summary.least) {
    return fmt::format(
        "the calls took from {} to {}: other work used the cores for part of the time, perhaps while the limit was "
        "measured",
        text_of(Seconds{summary.least}), text_of(Seconds{summary.p99}));
  }
  return "the calls found more of their data in caches than the threads that measured the limit";
}

std::string bench_table(const BenchRun& run) {
  std::vector<std::vector<std::string>> cells{
      {"BYTES", "ALGORITHM", "MIN", "MEDIAN", "P99", "PREDICTED", "BUS BANDWIDTH", "OF LIMIT"}};
  for (const BenchRow& row : run.rows) {
    const measure::Summary& summary = row.measured.summary;
    cells.push_back(
        {has_size(row) ? text_of(Bytes{row.cell.bytes}) : "-", row.algorithm, text_of(Seconds{summary.least}),
         text_of(Seconds{summary.median}), text_of(Seconds{summary.p99}), text_of(Seconds{row.predicted_seconds}),
         has_size(row) ? fmt::format("{:.3f} GB/s", bus_bandwidth_of(row) * 1e-9) : "-", part_in_words(row)});
  }
  std::string notes;
  for (const BenchRow& row : run.rows) {
    if (const std::string why = why_below_limit(row); !why.empty())
      notes += screen_text(
          fmt::format("* {}: {}", has_size(row) ? text_of(Bytes{row.cell.bytes}) : collective_of(run), why));
  }
  if (!notes.empty()) notes = "\n" + notes;
  return screen_text(fmt::format("{}; {}", setting_of(run), measure::machine_in_words())) + '\n' +
         screen_table(cells, {5, 2, 4}) + notes;
}

std::string bench_json(const BenchRun& run) {
  Json cells = Json::array();
  for (const BenchRow& row : run.rows) {
    const measure::Summary& summary = row.measured.summary;
    const bool limited = limit_of(row) > 0;
    const std::string why = why_below_limit(row);
    cells.push_back(Json{{"bytes", row.cell.bytes},
                         {"algorithm", row.algorithm},
                         {"calls", row.measured.calls},
                         {"min_us", summary.least / microsecond},
                         {"median_us", summary.median / microsecond},
                         {"p99_us", summary.p99 / microsecond},
                         {"predicted_us", row.predicted_seconds / microsecond},
                         {"bus_bytes_per_second", has_size(row) ? Json(bus_bandwidth_of(row)) : Json(nullptr)},
                         {"limit_us", limited ? Json(limit_of(row) / microsecond) : Json(nullptr)},
                         {"of_limit", limited ? Json(part_of_limit(row)) : Json(nullptr)},
                         {"limit_note", why.empty() ? Json(nullptr) : Json(why)}});
  }
  return Json{{"collective", collective_of(run)},
              {"ranks", run.rows.front().cell.ranks},
              {"transport", name_of(run.transport)},
              {"machine", measure::machine_in_words()},
              {"cells", cells}}
             .dump(2) +
         '\n';
}

std::string bench_plot(const BenchRun& run) {
  require(has_size(run.rows.front()), "a barrier has no sizes to draw its time against; leave --plot out");
  draw::Plot plot{.title = setting_of(run),
                  .x = {"size of the message", draw::AxisUnit::bytes},
                  .y = {"time of a call", draw::AxisUnit::seconds},
                  .series = {{"median", {}},
                             {"min", {}},
                             {"predicted", {}, draw::LineKind::computed},
                             {"the machine's limit", {}, draw::LineKind::bound}}};
  for (const BenchRow& row : run.rows) {
    const double times[] = {row.measured.summary.median, row.measured.summary.least, row.predicted_seconds,
                            limit_of(row)};
    for (std::size_t k = 0; k < plot.series.size(); ++k)
      if (times[k] > 0) plot.series[k].samples.push_back({static_cast<double>(row.cell.bytes), times[k]});
  }
  return draw::svg_of(plot);
}

}  // namespace tutti::app
