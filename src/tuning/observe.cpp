#include "tuning/observe.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <random>

#include "algorithms/catalogue.hpp"
#include "base/check.hpp"
#include "base/text/json.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "plan/choice.hpp"
#include "schedule/model/problem.hpp"
#include "tuning/measured_communicator.hpp"

namespace tutti {
namespace {

/// Measurements to be made on the same buffers: of all algorithms that fit the cell.
struct Trials {
  measure::Cell cell;
  std::size_t group = 0;  ///< whose ranks make them
  std::vector<const Algorithm*> algorithms;
};

Problem problem_of(const measure::Cell& cell) {
  return {.collective = cell.collective, .ranks = cell.ranks, .count = cell.count()};
}

// Adds the trials of the group with that number.
void add_trials(std::vector<Trials>& trials, std::size_t group, int ranks) {
  using enum Collective;
  for (const Collective collective : {broadcast, reduce, all_reduce, all_gather, all_to_all}) {
    for (const std::int64_t bytes :
         {8LL, 1LL << 10, 8LL << 10, 32LL << 10, 128LL << 10, 256LL << 10, 1LL << 20, 8LL << 20}) {
      const measure::Cell cell{collective, ranks, bytes};
      trials.push_back({cell, group, candidates_for(problem_of(cell), Layout{})});
    }
  }
}

std::size_t number_of(const std::vector<Trials>& trials) {
  std::size_t number = 0;
  for (const Trials& each : trials) number += each.algorithms.size();
  return number;
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

using Json = nlohmann::ordered_json;

Observation observation_of(const Json& each) {
  const std::string name = each.at("algorithm");
  const std::string collective = each.at("collective");
  const auto known = collective_named(collective);
  require(known.has_value(), "there is no collective '{}'", collective);
  const Algorithm* const algorithm = algorithms::find(*known, name);
  require(algorithm != nullptr, "there is no {} '{}'", collective, name);
  const Problem problem{.collective = *known, .ranks = each.at("ranks"), .count = each.at("count")};
  return {*algorithm, problem, each.at("element_bytes"), each.at("cores"), each.at("seconds")};
}

}  // namespace

std::vector<int> sizes_observed(int ranks) {
  std::vector<int> sizes{std::min(2, ranks)};
  for (const int size : {measure::cores(), ranks}) {
    if (size > sizes.back() && size <= ranks) sizes.push_back(size);
  }
  return sizes;
}

std::size_t trials_over(int ranks) {
  std::vector<Trials> trials;
  add_trials(trials, 0, ranks);
  return number_of(trials);
}

Observed observe(Communicator& comm, const std::vector<int>& sizes, double most_seconds,
                 const TrialProgress& progress) {
  constexpr double most_warm_up = 0.15;
  const auto begin = measure::Clock::now();
  std::vector<Trials> all;
  for (std::size_t group = 0; group < sizes.size(); ++group) add_trials(all, group, sizes[group]);
  mix(all);
  Observed observed;
  observed.trials = number_of(all);
  comm.set_timeout(std::chrono::hours(1));  // ranks that are not measured wait for the others
  std::vector<std::optional<Communicator>> groups;
  for (const int size : sizes) groups.push_back(comm.split(comm.rank() < size ? 0 : -1, comm.rank()));

  // The seconds that each of the trials that are left may take; 0: no more of them begin.
  const auto share = [&] {
    observed.seconds = seconds_of_first(comm, begin);
    const double left = std::max(0.0, most_seconds - observed.seconds);
    return left / static_cast<double>(observed.trials - observed.made);
  };
  for (const Trials& trials : all) {
    std::optional<Communicator>& group = groups[trials.group];
    if (observed.made > 0 && share() <= 0) break;
    std::optional<measure::CellMeasurement> turns;
    if (group) turns.emplace(trials.cell, group->rank(), &measure::plain_memory);
    for (const Algorithm* algorithm : trials.algorithms) {
      const double seconds = share();
      if (observed.made > 0 && seconds <= 0) break;
      if (progress) progress(observed.made, observed.trials);
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
  return observed;
}

std::string json_of(const std::vector<Observation>& observations) {
  Json all = Json::array();
  for (const Observation& each : observations) {
    all.push_back(Json{{"collective", name_of(each.problem.collective)},
                       {"algorithm", each.choice.algorithm->name},
                       {"ranks", each.problem.ranks},
                       {"count", each.problem.count},
                       {"element_bytes", each.element_size},
                       {"cores", each.cores},
                       {"seconds", each.seconds}});
  }
  return all.dump(2) + "\n";
}

std::vector<Observation> observations_in(std::string_view text, const std::string& name) {
  constexpr JsonLimits limits{.depth = 2, .values = 100'000};
  std::vector<Observation> observations;
  try {
    for (const Json each : read_json(text, name, limits)) observations.push_back(observation_of(each));
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorCode::invalid_argument, "{} has a measurement that is none: {}", name, error.what());
  }
  return observations;
}

}  // namespace tutti
