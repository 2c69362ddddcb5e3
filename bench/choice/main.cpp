/// @file
/// bench_choice [--quick] [PLOT.svg]: how good choices and predictions are.
///
/// Threads and processes, 2 and 4 ranks, all collectives that the measuring loop has, 8 B to 16 MiB in steps of 4. In
/// each cell every schedule is measured in the same run, whatever number of algorithms come to it; what is chosen is
/// compared with the fastest of them, for the choice by estimate and for what `measure` keeps, and what is predicted
/// with what was measured. What is chosen by estimate is measured twice, by its name and without it: how far the two
/// are apart says what the machine lets one tell.
///
/// bench_choice ranks TRANSPORT RANKS COLLECTIVE SIZES SECONDS is what it starts for each collective; rank 0 prints
/// JSON.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "base/text/table.hpp"
#include "base/units.hpp"
#include "bench/choice/cells.hpp"
#include "draw/plots/plot.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "schedule/model/problem.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Json = nlohmann::json;

struct Grid {
  std::vector<int> ranks{2, 4};
  std::vector<std::int64_t> sizes;
  std::string seconds = "0.006";  ///< a round of a schedule at a size, and as much before to warm up
  double all_seconds = 12 * 60;   ///< nothing new begins after this
};

Grid whole_grid() {
  Grid grid;
  for (std::int64_t bytes = 8; bytes <= std::int64_t{16} << 20; bytes *= 4) grid.sizes.push_back(bytes);
  return grid;
}

Grid quick_grid() { return {.ranks = {2}, .sizes = {8, 8192, 1 << 20}, .seconds = "0.001"}; }

// ---- The ranks' side

Json json_of(const ChoiceCell& cell) {
  Json candidates = Json::array();
  for (const Candidate& each : cell.candidates)
    candidates.push_back({{"names", each.names}, {"predicted", each.predicted}, {"measured", each.measured}});
  return {{"bytes", cell.bytes},
          {"candidates", candidates},
          {"chosen", cell.chosen},
          {"estimated", cell.estimated},
          {"kept", cell.kept}};
}

int be_ranks(const std::vector<std::string>& words) {
  require(words.size() == 5, "usage: bench_choice ranks TRANSPORT RANKS COLLECTIVE SIZES SECONDS");
  const int ranks = static_cast<int>(parse_integer(words[1], "a number of ranks", 1, 64));
  const auto collective = collective_named(words[2]);
  require(collective.has_value(), "there is no collective '{}'", words[2]);
  std::vector<std::int64_t> sizes = Json::parse(words[3]);
  // All that is measured in a cell has the same buffers: they need not become warm in each turn.
  const measure::Effort effort{.seconds = parse_seconds(words[4]).count, .warm_up_seconds = 0};
  const auto measure_and_print = [&](Communicator& comm) {
    const std::vector<ChoiceCell> cells = measure_cells(comm, *collective, sizes, effort);
    if (comm.rank() != 0) return;
    for (const ChoiceCell& cell : cells) fmt::print("{}\n", json_of(cell).dump());
    std::fflush(stdout);
  };
  if (words[0] == "threads") {
    run(ranks, measure_and_print);
  } else {
    measure_and_print(world());
  }
  return 0;
}

// ---- The side of who asks

std::vector<ChoiceCell> cells_of(const std::string& transport, int ranks, Collective collective, const Grid& grid) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const bool sized = collective != Collective::barrier;
  const std::vector<std::int64_t> sizes = sized ? grid.sizes : std::vector<std::int64_t>{0};
  const std::string launch = transport == "threads" ? "" : fmt::format("{} run -n {} ", TUTTI_COMMAND, ranks);
  const std::string command = fmt::format("{}{} ranks {} {} {} '[{}]' {}", launch, self, transport, ranks,
                                          name_of(collective), fmt::join(sizes, ","), grid.seconds);
  std::FILE* const pipe = popen(command.c_str(), "r");
  require(pipe != nullptr, "a shell cannot be started");
  std::vector<ChoiceCell> cells;
  std::string line;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    const Json row = Json::parse(line);
    line.clear();
    ChoiceCell cell{.collective = std::string(name_of(collective)), .transport = transport, .ranks = ranks};
    cell.bytes = row["bytes"];
    cell.chosen = row["chosen"];
    cell.estimated = row["estimated"];
    cell.kept = row["kept"];
    for (const Json& each : row["candidates"])
      cell.candidates.push_back({each["names"], each["predicted"], each["measured"]});
    cells.push_back(std::move(cell));
  }
  require(pclose(pipe) == 0, "this command failed: {}", command);
  return cells;
}

double best_of(const ChoiceCell& cell) {
  double best = std::min(cell.estimated, cell.kept);
  for (const Candidate& each : cell.candidates) best = std::min(best, each.measured);
  return best;
}

double at(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

// The longer of two measurements of what is chosen by estimate, as a multiple of the shorter one.
double twice(const ChoiceCell& cell) {
  for (const Candidate& each : cell.candidates) {
    if (std::find(each.names.begin(), each.names.end(), cell.chosen) == each.names.end()) continue;
    return std::max(each.measured / cell.estimated, cell.estimated / each.measured);
  }
  return 1;
}

struct Figures {
  std::vector<double> estimated;  // ratios of the choice by estimate to the fastest
  std::vector<double> kept;       // and what `measure` keeps
  std::vector<double> twice;      // see bench::twice()
  std::vector<double> errors;     // errors of predictions, as parts of the measured times

  void add(const ChoiceCell& cell) {
    estimated.push_back(cell.estimated / best_of(cell));
    kept.push_back(cell.kept / best_of(cell));
    twice.push_back(bench::twice(cell));
    for (const Candidate& each : cell.candidates)
      errors.push_back(std::abs(each.predicted - each.measured) / each.measured);
  }
};

std::vector<std::string> row_of(const std::string& name, const Figures& figures) {
  const auto within = [](const std::vector<double>& losses) {
    const auto near = std::count_if(losses.begin(), losses.end(), [](double loss) { return loss <= 1.1; });
    return fmt::format("{:.0f} %", 100.0 * static_cast<double>(near) / static_cast<double>(losses.size()));
  };
  const auto mean = [](const std::vector<double>& losses) {
    double logarithms = 0;
    for (const double loss : losses) logarithms += std::log(loss);
    return fmt::format("{:.3f}", std::exp(logarithms / static_cast<double>(losses.size())));
  };
  return {name,
          fmt::format("{}", figures.estimated.size()),
          within(figures.estimated),
          mean(figures.estimated),
          within(figures.kept),
          mean(figures.kept),
          within(figures.twice),
          mean(figures.twice),
          fmt::format("{:.0f} %", 100 * at(figures.errors, 0.5)),
          fmt::format("{:.0f} %", 100 * at(figures.errors, 0.9))};
}

std::string table_of_cells(const std::vector<ChoiceCell>& cells) {
  std::map<std::string, Figures> groups;
  Figures all;
  for (const ChoiceCell& cell : cells) {
    groups[fmt::format("{}, {} {}", cell.collective, cell.ranks, cell.transport)].add(cell);
    all.add(cell);
  }
  std::vector<std::vector<std::string>> rows{{"", "CELLS", "ESTIMATE WITHIN 10 %", "MEAN", "MEASURE WITHIN 10 %",
                                              "MEAN", "SAME TWICE WITHIN 10 %", "MEAN", "ERROR, MEDIAN",
                                              "90TH PERCENTILE"}};
  for (const auto& [name, figures] : groups) rows.push_back(row_of(name, figures));
  rows.push_back(row_of("all", all));
  return table_of(rows);
}

// The choices by estimate that lose most, with what would have been the fastest.
std::string dearest_of(std::vector<ChoiceCell> cells) {
  constexpr std::size_t shown = 20;
  const auto loss = [](const ChoiceCell& cell) { return cell.estimated / best_of(cell); };
  std::sort(cells.begin(), cells.end(), [&](const auto& one, const auto& other) { return loss(one) > loss(other); });
  std::vector<std::vector<std::string>> rows{
      {"DEAREST CHOICES", "SIZE", "LOSS", "CHOSEN", "PREDICTED", "MEASURED", "FASTEST", "PREDICTED", "MEASURED"}};
  const auto time = [](double seconds) { return text_of(Seconds{seconds}); };
  for (const ChoiceCell& cell : cells) {
    if (rows.size() > shown || loss(cell) <= 1.1) break;
    const auto is_chosen = [&](const Candidate& each) {
      return std::find(each.names.begin(), each.names.end(), cell.chosen) != each.names.end();
    };
    const auto chosen = std::find_if(cell.candidates.begin(), cell.candidates.end(), is_chosen);
    const auto fastest =
        std::min_element(cell.candidates.begin(), cell.candidates.end(),
                         [](const Candidate& one, const Candidate& other) { return one.measured < other.measured; });
    rows.push_back({fmt::format("{}, {} {}", cell.collective, cell.ranks, cell.transport), text_of(Bytes{cell.bytes}),
                    fmt::format("{:.2f}", loss(cell)), cell.chosen,
                    chosen == cell.candidates.end() ? "-" : time(chosen->predicted), time(cell.estimated),
                    fastest->names.front(), time(fastest->predicted), time(fastest->measured)});
  }
  return rows.size() > 1 ? "\n" + table_of(rows) : "";
}

// For each size the worst choice by estimate, and the mean.
std::string plot_of(const std::vector<ChoiceCell>& cells) {
  std::map<std::int64_t, std::vector<double>> losses;
  for (const ChoiceCell& cell : cells) {
    if (cell.bytes > 0) losses[cell.bytes].push_back(cell.estimated / best_of(cell));
  }
  draw::Series worst{"the worst", {}, draw::LineKind::measured};
  draw::Series ninth{"nine tenths are below", {}, draw::LineKind::measured};
  for (const auto& [bytes, of_size] : losses) {
    const auto x = static_cast<double>(bytes);
    worst.samples.push_back({x, at(of_size, 1)});
    ninth.samples.push_back({x, at(of_size, 0.9)});
  }
  return draw::svg_of({.title = "What is chosen by estimate, beside the fastest",
                       .x = {"size of the message", draw::AxisUnit::bytes},
                       .y = {"times as long", draw::AxisUnit::number},
                       .series = {worst, ninth}});
}

int compare_all(const std::vector<std::string>& words) {
  const bool quick = !words.empty() && words.front() == "--quick";
  const Grid grid = quick ? quick_grid() : whole_grid();
  const std::vector<std::string> files(words.begin() + (quick ? 1 : 0), words.end());
  require(files.size() <= 1, "usage: bench_choice [--quick] [PLOT.svg]");
  fmt::print("{}\n\n", measure::machine_in_words());
  std::fflush(stdout);
  const auto begin = measure::Clock::now();
  std::vector<ChoiceCell> cells;
  int left_out = 0;
  for (const std::string transport : {"threads", "processes"}) {
    for (const int ranks : grid.ranks) {
      for (const Collective collective : all_collectives()) {
        if (collective == Collective::exclusive_scan || collective == Collective::shift) continue;
        if (measure::seconds_since(begin) > grid.all_seconds) {
          ++left_out;
          continue;
        }
        const auto found = cells_of(transport, ranks, collective, grid);
        cells.insert(cells.end(), found.begin(), found.end());
      }
    }
  }
  fmt::print("{}{}", table_of_cells(cells), dearest_of(cells));
  if (left_out > 0) fmt::print("{} collectives were left out, because time was up.\n", left_out);
  if (!files.empty()) std::ofstream(files.front()) << plot_of(cells);
  return 0;
}

}  // namespace
}  // namespace tutti::bench

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words.front() == "ranks") return tutti::bench::be_ranks({words.begin() + 1, words.end()});
    return tutti::bench::compare_all(words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_choice: {}\n", error.what());
    return 1;
  }
}
