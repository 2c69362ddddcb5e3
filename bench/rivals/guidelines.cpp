/// @file
/// bench_guidelines [--quick]: which performance guidelines tutti, Open MPI and MPICH break here, and by how much.
///
/// A guideline (src/plan/guidelines.hpp) compares a call with others that together do at least as much, over p ranks
/// and over p + 1. Every call is measured by itself, after a barrier, and the least of its times counts, so that what
/// disturbs the machine does not. Times may differ by a tenth for no reason.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "base/check.hpp"
#include "base/text/table.hpp"
#include "base/units.hpp"
#include "bench/rivals/contenders.hpp"
#include "measure/machine.hpp"
#include "plan/guidelines.hpp"

namespace tutti::bench {
namespace {

constexpr double noise = 0.1;
constexpr std::int64_t element = sizeof(double);

struct Grid {
  std::vector<int> ranks{2, 4};
  std::vector<std::int64_t> counts{1, 16, 256, 4096, 65536};
  std::string seconds = "0.03";
};

bool is_measured(Collective collective) {
  return collective != Collective::exclusive_scan && collective != Collective::shift;
}

std::int64_t bytes_of(const Problem& problem) {
  return problem.count * element * (has_blocks(problem.collective) ? problem.ranks : 1);
}

/// Times of one contender's calls, in seconds.
class Times {
 public:
  Times(Contender contender, const Grid& grid) {
    std::map<std::pair<Collective, int>, std::set<std::int64_t>> wanted;
    for (const int p : grid.ranks) {
      for (const std::int64_t m : grid.counts) {
        for (const Guideline& guideline : guidelines()) {
          std::vector<GuidedCall> calls = guideline.right;
          calls.push_back(guideline.left);
          for (const GuidedCall& call : calls) {
            const Problem problem = problem_of(call, m, p);
            if (is_measured(call.collective)) wanted[{call.collective, problem.ranks}].insert(bytes_of(problem));
          }
        }
      }
    }
    for (const auto& [what, sizes] : wanted)
      measure({contender, what.first, what.second, {sizes.begin(), sizes.end()}, grid.seconds, true});
  }

  bool known() const { return !seconds_.empty(); }
  double of(const Problem& problem) const {
    const auto found = seconds_.find({problem.collective, problem.ranks, bytes_of(problem)});
    return found == seconds_.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
  }

 private:
  void measure(const Task& task) {
    const std::string command = task.command();
    if (command.empty()) return;
    for (const auto& [bytes, medians] : run("timeout 120 env " + command))
      seconds_[{task.collective, task.ranks, bytes}] = 1e-6 * medians.least;
  }

  std::map<std::tuple<Collective, int, std::int64_t>, double> seconds_;
};

/// Outcome of one guideline for one contender.
struct Kept {
  int broken = 0;
  double worst = 0;  ///< left over right
  Breach where;
};

std::string words_of(const Kept& kept) {
  if (kept.broken == 0) return "kept";
  return fmt::format("{} times, {:.2f} at m = {}, p = {}", kept.broken, kept.worst,
                     text_of(Bytes{kept.where.count * element}), kept.where.ranks);
}

std::map<const Guideline*, Kept> kept_by(const Times& times, const Grid& grid) {
  std::map<const Guideline*, Kept> all;
  for (const int p : grid.ranks) {
    for (const std::int64_t m : grid.counts) {
      for (const Breach& breach : breaches([&](const Problem& problem) { return times.of(problem); }, m, p, noise)) {
        Kept& kept = all[breach.guideline];
        ++kept.broken;
        if (breach.left / breach.right <= kept.worst) continue;
        kept.worst = breach.left / breach.right;
        kept.where = breach;
      }
    }
  }
  return all;
}

int check_all(const Grid& grid) {
  fmt::print("{}\n\n", measure::machine_in_words());
  std::vector<std::vector<std::string>> rows{{"GUIDELINE"}};
  for (const Guideline& guideline : guidelines()) {
    const bool known = is_measured(guideline.left.collective) &&
                       std::all_of(guideline.right.begin(), guideline.right.end(),
                                   [](const GuidedCall& call) { return is_measured(call.collective); });
    if (known) rows.push_back({text_of(guideline)});
  }
  for (const Contender contender : {Contender::tutti_processes, Contender::open_mpi, Contender::mpich}) {
    const Times times(contender, grid);
    if (!times.known()) continue;
    const auto kept = kept_by(times, grid);
    rows.front().emplace_back(title_of(contender));
    std::size_t row = 1;
    for (const Guideline& guideline : guidelines()) {
      if (row == rows.size() || rows[row].front() != text_of(guideline)) continue;
      const auto found = kept.find(&guideline);
      rows[row++].push_back(found == kept.end() ? "kept" : words_of(found->second));
    }
  }
  fmt::print("Of {} cases each, how often a guideline is broken, and the worst: left over right\n{}",
             grid.ranks.size() * grid.counts.size(), table_of(rows));
  return 0;
}

}  // namespace
}  // namespace tutti::bench

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool quick = words == std::vector<std::string>{"--quick"};
    tutti::require(words.empty() || quick, "usage: bench_guidelines [--quick]");
    if (quick) return tutti::bench::check_all({.ranks = {2}, .counts = {1, 4096}, .seconds = "0.01"});
    return tutti::bench::check_all({});
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_guidelines: {}\n", error.what());
    return 1;
  }
}
