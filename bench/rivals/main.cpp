/// @file
/// bench_rivals [--quick] [FILE.json]: tutti beside Open MPI, MPICH and Gloo, in one run.
///
/// One collective on so many ranks after the other, and for each several rounds in which every contender has its turn:
/// A B C A B C. What disturbs the machine for a while so disturbs all of them. The limit (measure/limit.hpp) is
/// measured in every round too. A figure is the median of the rounds' medians. Exit status 1 where a program failed;
/// its cells are then without figures.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/check.hpp"
#include "bench/rivals/report.hpp"
#include "measure/limit.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::bench {
namespace {

struct Grid {
  std::vector<std::int64_t> sizes{8, 1024, 65536, 1 << 20, 4 << 20, 16 << 20};
  std::vector<int> ranks{2, 4};
  int rounds = 5;               ///< at most; one at least
  std::string seconds = "0.3";  ///< for a size, at most, and as much before to warm up
  double limit_seconds = 0.15;
  double all_seconds = 14 * 60;  ///< no round begins that would go beyond this
};

Grid coarse_grid() {
  return {.sizes = {8, 65536, 1 << 20, 16 << 20},
          .rounds = 2,
          .seconds = "0.05",
          .limit_seconds = 0.04,
          .all_seconds = 160};
}

class Comparison {
 public:
  explicit Comparison(Grid grid) : grid_(std::move(grid)) {}

  void run() {
    std::vector<Collective> collectives;
    for (const Collective collective : all_collectives()) {
      if (collective != Collective::exclusive_scan && collective != Collective::shift)
        collectives.push_back(collective);
    }
    const std::size_t groups = grid_.ranks.size() * collectives.size();
    std::size_t group = 0;
    for (const int ranks : grid_.ranks) {
      for (const Collective collective : collectives) {
        ++group;
        compare(collective, ranks, grid_.all_seconds * static_cast<double>(group) / static_cast<double>(groups));
      }
    }
    show("\r\033[K");
  }

  const std::vector<Figures>& figures() const { return figures_; }
  const std::vector<std::string>& commands() const { return commands_; }
  bool failed() const { return failed_; }

 private:
  static void show(const std::string& text) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "{}", text);
  }

  // Rounds after the first begin only where they will end within `until` seconds from the beginning of all.
  void compare(Collective collective, int ranks, double until) {
    const bool sized = collective != Collective::barrier;
    const std::vector<std::int64_t> sizes = sized ? grid_.sizes : std::vector<std::int64_t>{0};
    std::vector<Figures> row;
    for (const std::int64_t bytes : sizes)
      row.push_back({.cell = {.collective = collective, .ranks = ranks, .bytes = bytes}});
    double took = 0;
    for (int round = 1; round <= grid_.rounds; ++round) {
      const double begun = measure::seconds_since(begin_);
      if (round > 1 && begun + took > until) break;
      for (const Contender contender : contenders) {
        show(fmt::format("\r\033[K{} over {} ranks, round {} of {}: {}", name_of(collective), ranks, round,
                         grid_.rounds, title_of(contender)));
        take_turn({contender, collective, ranks, sizes, grid_.seconds}, row);
      }
      for (Figures& figures : row)
        figures.limit_rounds.push_back(1e6 * measure::limit_seconds(figures.cell, {.seconds = grid_.limit_seconds}));
      took = measure::seconds_since(begin_) - begun;
    }
    figures_.insert(figures_.end(), row.begin(), row.end());
  }

  // A program that fails is not asked again for the same cells.
  void take_turn(const Task& task, std::vector<Figures>& row) {
    const std::string command = task.command();
    if (command.empty() || broken_.contains(command)) return;
    if (std::find(commands_.begin(), commands_.end(), command) == commands_.end()) commands_.push_back(command);
    try {
      const auto medians = bench::run("timeout 120 env " + command);
      for (Figures& figures : row) {
        const auto found = medians.find(figures.cell.bytes);
        if (found == medians.end()) continue;
        figures.rounds[task.contender].push_back(found->second.changing);
        figures.warm_rounds[task.contender].push_back(found->second.warm);
        if (found->second.fresh) figures.fresh_rounds[task.contender].push_back(*found->second.fresh);
      }
    } catch (const Error& error) {
      fmt::print(stderr, "\nbench_rivals: {}\n", error.what());
      failed_ = true;
      broken_.insert(command);
    }
  }

  Grid grid_;
  measure::Clock::time_point begin_ = measure::Clock::now();
  std::vector<Figures> figures_;
  std::vector<std::string> commands_;
  std::set<std::string> broken_;
  bool failed_ = false;
};

int compare_all(const std::vector<std::string>& words) {
  Grid grid;
  std::string file;
  for (const std::string& word : words) {
    if (word == "--quick") {
      grid = coarse_grid();
    } else {
      require(file.empty() && !word.starts_with('-'), "usage: bench_rivals [--quick] [FILE.json], not '{}'", word);
      file = word;
    }
  }
  const std::string machine = measure::machine_in_words();
  fmt::print("{}\n", machine);
  std::fflush(stdout);
  Comparison comparison(grid);
  comparison.run();
  fmt::print("{}\nThe commands:\n", table_of(comparison.figures()));
  for (const std::string& command : comparison.commands()) {
    if (command.find(" broadcast ") != std::string::npos) fmt::print("  {}\n", command);
  }
  fmt::print("and the same for the other collectives.\n");
  if (!file.empty()) {
    std::ofstream stream(file);
    stream << json_of(comparison.figures(), machine, comparison.commands()).dump(1) << '\n';
    stream.close();
    require(!stream.fail(), "{} cannot be written", file);
  }
  return comparison.failed() ? 1 : 0;
}

}  // namespace
}  // namespace tutti::bench

int main(int argc, char** argv) try {
  return tutti::bench::compare_all({argv + 1, argv + argc});
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_rivals: {}\n", error.what());
  return 2;
}
