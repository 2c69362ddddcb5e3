/// @file
/// Simulation against lower bounds: for every algorithm, network and count.

#include <gtest/gtest.h>

#include <random>

#include "algorithms/catalogue.hpp"
#include "cost/lower_bound.hpp"
#include "simulate/simulate.hpp"
#include "topology/named.hpp"

namespace tutti {
namespace {

constexpr std::uint64_t seed = 20031;
constexpr std::int64_t element_bytes = 4;

// Parameters of which no two terms agree by chance.
Machine random_machine(std::mt19937_64& random, Switching switching) {
  std::uniform_real_distribution<double> factor(0.3, 3);
  return {
      .switching = switching, .ts = 1e-6 * factor(random), .tw = 1e-9 * factor(random), .th = 1e-7 * factor(random)};
}

double simulated(const Algorithm& algorithm, const Problem& problem, const Topology& topology, const Machine& machine,
                 Engine engine) {
  Workload workload(algorithm.record, problem, element_bytes);
  return simulate(workload, topology, machine, {.engine = engine}).seconds;
}

TEST(LowerBound, IsNeverBeaten) {
  std::mt19937_64 random(seed);
  for (const char* words :
       {"full:1",       "full:2",          "full:7",   "full:16",    "ring:5",      "ring:8",      "linear:6",
        "linear:3x4",   "mesh:3x3",        "mesh:4x4", "mesh:2x3x4", "hypercube:4", "star:6",      "tree:8",
        "fat-tree:2x3", "dragonfly:1x2x1", "nvlink:4", "dgx-1v",     "nvswitch:8",  "nvswitch:2x4"}) {
    const TopologyPtr topology = topology_named(words);
    for (const Algorithm* algorithm : algorithms::catalogue()) {
      for (const std::int64_t count : {0, 1, 5, 240}) {
        for (const Ports ports : {Ports::single, Ports::multiple}) {
          Problem problem{.collective = algorithm->collective,
                          .ranks = topology->ranks(),
                          .count = count,
                          .distance = static_cast<int>(count % 4)};
          if (algorithm->collective == Collective::barrier) problem.count = 0;
          if (unmet_need(*algorithm, problem)) continue;
          for (const Switching switching :
               {Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta}) {
            Machine machine = random_machine(random, switching);
            machine.ports = ports;
            const LowerBound bound = lower_bound(problem, element_bytes, *topology, machine);
            for (const Engine engine : {Engine::rounds, Engine::flows}) {
              EXPECT_GE(simulated(*algorithm, problem, *topology, machine, engine), bound.seconds * (1 - 1e-9))
                  << words << ", " << name_of(switching) << ", " << name_of(engine) << ", " << algorithm->name << ", "
                  << describe(problem) << ", " << bound.name;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tutti
