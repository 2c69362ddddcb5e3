/// @file
/// The two engines behind simulate(), and what they share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "simulate/meeting.hpp"
#include "simulate/simulation.hpp"
#include "simulate/workload.hpp"
#include "topology/machine.hpp"

namespace tutti {

Simulation simulate_rounds(Workload& workload, const Topology& topology, const Machine& machine,
                           const SimulationOptions& options);
Simulation simulate_flows(Workload& workload, const Topology& topology, const Machine& machine,
                          const SimulationOptions& options);

/// Returns the result of simulate_flows, found faster; nothing if messages wait for ports, share links, choose their
/// way by load or are buffered.
std::optional<Simulation> simulate_uncontended(Workload& workload, const Topology& topology, const Machine& machine,
                                               const SimulationOptions& options);

/// Puts simultaneous events in another order, where the options ask for it.
class Shuffle {
 public:
  explicit Shuffle(const SimulationOptions& options)
      : wanted_(options.shuffle.has_value()), random_(options.shuffle.value_or(0)) {}

  template <typename T>
  void operator()(std::vector<T>& events) {
    if (wanted_) std::shuffle(events.begin(), events.end(), random_);
  }

 private:
  bool wanted_;
  std::mt19937 random_;
};

/// Tells the options' progress how many of all messages have passed.
class Telling {
 public:
  Telling(const SimulationOptions& options, std::int64_t messages)
      : progress_(options.progress), all_(messages), each_(messages / 1000 + 1), next_(std::min(each_, all_)) {}

  void pass() {
    if (++passed_ < next_) return;
    next_ = std::min(next_ + each_, all_);
    if (progress_) progress_(passed_, all_);
  }

 private:
  const std::function<void(std::int64_t passed, std::int64_t all)>& progress_;
  std::int64_t all_;
  std::int64_t each_;
  std::int64_t next_;
  std::int64_t passed_ = 0;
};

/// Seconds in which `rank` combines `bytes`.
double combining_time(const Machine& machine, const SimulationOptions& options, int rank, std::int64_t bytes);

/// Throws `Error(unsupported)` naming the ranks that still wait, if any do.
void refuse_stall(const Ranks& ranks);

}  // namespace tutti
