#include <algorithm>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "pricing/prices.hpp"
#include "simulate/traffic_bound.hpp"

namespace tutti {

Problem Prices::sized(std::int64_t bytes) const {
  Problem problem = request_.problem;
  if (problem.counts.empty()) problem.count = problem.collective == Collective::barrier ? 0 : bytes;
  return problem;
}

// Records the algorithm's ranks, unless the messages of the first ones show that all take longer than they may.
std::optional<Workload> Prices::recorded(const Algorithm& algorithm, std::int64_t bytes,
                                         const SimulationOptions& options, Detail detail) const {
  const Choice recorded_as = choice(algorithm, bytes);
  const Problem problem = sized(bytes);
  TrafficSoFar traffic(*request_.topology, request_.machine, options,
                       recorded_as.claims(problem, request_.layout).messages);
  Workload workload(recorded_as, problem, 1, request_.layout, detail,
                    [&](int rank, std::span<const Move> moves) { return traffic.add(rank, moves); });
  if (workload.ranks() < problem.ranks) return std::nullopt;
  return workload;
}

// Whether messages alone, of an algorithm whose recording is long, show that it takes longer than it may. Those of a
// dual, as reductions are, take half the time of its program; elsewhere both take as long.
bool Prices::messages_take_too_long(const Algorithm& algorithm, std::int64_t bytes, const SimulationOptions& options) {
  constexpr std::int64_t long_recording = std::int64_t{1} << 22;
  if (!options.until || recording_[&algorithm] < long_recording || !reduces(request_.problem.collective)) return false;
  const std::optional<Workload> messages = recorded(algorithm, bytes, options, Detail::messages);
  return !messages || traffic_is_too_long(*messages, *request_.topology, request_.machine, options);
}

std::optional<double> Prices::simulated(const Algorithm& algorithm, std::int64_t bytes,
                                        const SimulationOptions& limits) {
  const std::pair key(&algorithm, bytes);
  if (const auto known = simulated_.find(key); known != simulated_.end()) return known->second;
  SimulationOptions options = request_.traffic;
  options.most_work = limits.most_work;
  options.until = limits.until;
  std::optional<Workload> workload;
  if (!messages_take_too_long(algorithm, bytes, options)) workload = recorded(algorithm, bytes, options, Detail::all);
  if (!workload) {
    work_left_ -= recording_[&algorithm];
    return std::nullopt;
  }
  Simulation result = simulate(*workload, *request_.topology, request_.machine, options);
  const std::int64_t work = std::max(result.work, recording_[&algorithm]);
  work_left_ -= work;
  if (!result.is_whole) return std::nullopt;
  simulating_[&algorithm] = work;
  const double seconds =
      result.seconds + rearranged_elements(choice(algorithm, bytes), sized(bytes)) * request_.machine.tr;
  if (!fastest_ || seconds < fastest_->seconds) fastest_ = {key, seconds, std::move(result)};
  return simulated_.emplace(key, seconds).first->second;
}

std::optional<Simulation> Prices::simulation_of(const PricedAlgorithm& priced, std::int64_t bytes) const {
  if (priced.basis != Basis::simulation || !fastest_ || fastest_->key != std::pair(priced.algorithm, bytes))
    return std::nullopt;
  return fastest_->simulation;
}

}  // namespace tutti
