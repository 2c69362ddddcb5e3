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

/// One measurement to be made.
struct Trial {
  const Algorithm* algorithm = nullptr;
  measure::Cell cell;
  std::size_t group = 0;  ///< whose ranks make it
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

std::vector<Trial> trials_over(const std::vector<int>& sizes) {
  using enum Collective;
  std::vector<Trial> trials;
  for (std::size_t group = 0; group < sizes.size(); ++group) {
    for (const Collective collective : {broadcast, reduce, all_reduce, all_gather, all_to_all}) {
      for (const std::int64_t bytes : {8LL, 1LL << 10, 8LL << 10, 64LL << 10, 1LL << 20, 8LL << 20}) {
        const measure::Cell cell{collective, sizes[group], bytes};
        for (const Algorithm* algorithm : candidates_for(problem_of(cell), {}))
          trials.push_back({algorithm, cell, group});
      }
    }
  }
  return trials;
}

// std::shuffle would differ between libraries, and ranks of an MPI may have different ones.
void mix(std::vector<Trial>& trials) {
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
  const double measuring_seconds = part_of_measuring * budget_seconds;
  const auto begin = measure::Clock::now();
  const std::vector<int> sizes = sizes_of_groups(comm.size());
  std::vector<Trial> trials = trials_over(sizes);
  mix(trials);
  const Progress progress = comm.rank() == 0 ? progress_bar("measuring", trials.size()) : Progress();
  comm.set_timeout(std::chrono::hours(1));  // ranks that are not measured wait for the others
  std::vector<std::optional<Communicator>> groups;
  for (const int size : sizes) groups.push_back(comm.split(comm.rank() < size ? 0 : -1, comm.rank()));

  Observed observed{.trials = trials.size()};
  for (std::size_t& made = observed.made; made < trials.size(); ++made) {
    observed.seconds = seconds_of_first(comm, begin);
    if (made > 0 && observed.seconds >= measuring_seconds) break;
    if (progress) progress(made);
    const Trial& trial = trials[made];
    if (!groups[trial.group]) continue;
    const double share = (measuring_seconds - observed.seconds) / static_cast<double>(trials.size() - made);
    MeasuredCommunicator measured(*groups[trial.group], MeasuredMemory::plain, trial.algorithm->name);
    // Warming up may take as long as what counts.
    const double seconds = measure::measure(measured, trial.cell, {.seconds = share / 2}).summary.median;
    observed.observations.push_back(
        {*trial.algorithm, problem_of(trial.cell), sizeof(double), measure::cores(), seconds});
  }
  if (progress) clear_progress_bar();
  return observed;
}

}  // namespace tutti::app
