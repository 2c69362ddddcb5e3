/// @file
/// Subjects of the simulator's tests: the whole catalogue, and single messages.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "simulate/simulate.hpp"

namespace tutti {

inline constexpr double precision = 1e-9;

inline Problem problem_for(const Algorithm& algorithm, int ranks) {
  Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = 24 * ranks, .distance = 3};
  if (has_root(algorithm.collective)) problem.root = ranks / 3;
  if (algorithm.collective == Collective::barrier) problem.count = 0;
  return problem;
}

inline Simulation simulated(const Algorithm& algorithm, const Problem& problem, const Topology& topology,
                            const Machine& machine, const SimulationOptions& options = {}) {
  Workload workload(algorithm, problem, 1);
  return simulate(workload, topology, machine, options);
}

inline void for_each_fitting(int ranks, const std::function<void(const Algorithm&, const Problem&)>& see) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    const Problem problem = problem_for(*algorithm, ranks);
    if (unmet_need(*algorithm, problem)) continue;
    SCOPED_TRACE(::testing::Message() << name_of(algorithm->collective) << ' ' << algorithm->name << " p = " << ranks);
    see(*algorithm, problem);
  }
}

inline constexpr Machine machine{.ts = 1e-6, .tw = 1e-9, .th = 1e-7, .tc = 1e-10};

inline Workload workload_of(const Topology& network, const std::vector<std::pair<int, int>>& pairs,
                            std::int64_t bytes) {
  const Record text = [&](Script& me, const Problem&) {
    for (const auto& [from, to] : pairs) {
      if (from == me.rank()) me.send(me.input(), to);
      if (to == me.rank()) me.receive(me.output(), from);
    }
  };
  return Workload(text, {.collective = Collective::shift, .ranks = network.ranks(), .count = bytes}, 1);
}

inline Simulation messages_on(const Topology& network, const std::vector<std::pair<int, int>>& pairs,
                              std::int64_t bytes, const Machine& on, const SimulationOptions& options = {}) {
  Workload workload = workload_of(network, pairs, bytes);
  return simulate(workload, network, on, options);
}

}  // namespace tutti
