#include "app/observe.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <random>

#include "app/measured_communicator.hpp"
#include "app/progress.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "plan/choice.hpp"

namespace tutti::app {
namespace {

/// Measurements to be made on the same buffers: of all algorithms that fit the cell.
struct Trials {
  measure::Cell cell;
  std::size_t group = 0;  ///< whose ranks make them
  std::vector<const Algorithm*> algorithms;
};

// Two ranks, as many as there are cores, and all: where these outnumber the cores, the cost of a turn shows.
std::vector<int> sizes_of_groups(int ranks) {
  std::vector<int> sizes{std::min(2, ranks)};
  for (const int size : {measure::cores(), ranks}) {
    if (size > sizes.back() && size <= ranks) sizes.push_back(size);
  }
  return sizes;
}

Problem problem_of(const measure::Cell& cell) {
  return {.collective = cell.collective, .ranks = cell.ranks, .count = cell.count()};
}

std::vector<Trials> trials_over(const std::vector<int>& sizes) {
  using enum Collective;
  std::vector<Trials> trials;
  for (std::size_t group = 0; group < sizes.size(); ++group) {
    for (const Collective collective : {broadcast, reduce, all_reduce, all_gather, all_to_all}) {
      for (const std::int64_t bytes : {8LL, 1LL << 10, 8LL << 10, 64LL << 10, 1LL << 20, 8LL << 20}) {
        const measure::Cell cell{collective, sizes[group], bytes};
        trials.push_back({cell, group, candidates_for(problem_of(cell), {})});
      }
    }
  }
  return trials;
}

// std::shuffle would differ between libraries, and ranks of an MPI may have different ones.
void mix(std::vector<Trials>& trials) {
  std::mt19937 random(1);
  for (std::size_t left = trials.size(); left > 1; --left) std::swap(trials[left - 1], trials[random() % left]);
}

// Whatever the ranks' clocks say, that of rank 0 holds.
double seconds_of_first(Communicator& comm, measure::Clock::time_point begin) {
  std::array<double, 1> seconds{measure::seconds_since(begin)};
  comm.broadcast(std::span<double>(seconds), 0);
  return seconds[0];
}

}  // namespace

Observed observe(Communicator& comm, double budget_seconds) {
  constexpr double part_of_measuring = 0.85;  // fitting takes the rest
  constexpr double most_warm_up = 0.15;
  const double measuring_seconds = part_of_measuring * budget_seconds;
  const auto begin = measure::Clock::now();
  const std::vector<int> sizes = sizes_of_groups(comm.size());
  std::vector<Trials> all = trials_over(sizes);
  mix(all);
  Observed observed;
  for (const Trials& trials : all) observed.trials += trials.algorithms.size();
  const Progress progress = comm.rank() == 0 ? progress_bar("measuring", observed.trials) : Progress();
  comm.set_timeout(std::chrono::hours(1));  // ranks that are not measured wait for the others
  std::vector<std::optional<Communicator>> groups;
  for (const int size : sizes) groups.push_back(comm.split(comm.rank() < size ? 0 : -1, comm.rank()));

  // The seconds that each of the trials that are left may take; 0: no more of them begin.
  const auto share = [&] {
    observed.seconds = seconds_of_first(comm, begin);
    const double left = std::max(0.0, measuring_seconds - observed.seconds);
    return left / static_cast<double>(observed.trials - observed.made);
  };
  for (const Trials& trials : all) {
    std::optional<Communicator>& group = groups[trials.group];
    if (observed.made > 0 && share() <= 0) break;
    std::optional<measure::Turns> turns;
    if (group) turns.emplace(trials.cell, group->rank(), &measure::plain_memory);
    for (const Algorithm* algorithm : trials.algorithms) {
      const double seconds = share();
      if (observed.made > 0 && seconds <= 0) break;
      if (progress) progress(observed.made);
      ++observed.made;
      if (!group) continue;
      MeasuredCommunicator measured(*group, MeasuredMemory::plain, algorithm->name);
      // Warming up may take as long as what counts, and longer for the first, by which peers find new buffers.
      const bool is_first = algorithm == trials.algorithms.front();
      const measure::Effort effort{.seconds = seconds / 2, .warm_up_seconds = is_first ? most_warm_up : 0};
      observed.observations.push_back({*algorithm, problem_of(trials.cell), sizeof(double), measure::cores(),
                                       turns->measure(measured, effort).summary.median});
    }
  }
  if (progress) clear_progress_bar();
  return observed;
}

}  // namespace tutti::app
