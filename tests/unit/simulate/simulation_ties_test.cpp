/// @file
/// Order of two events: the flows engine against exact arithmetic, and against itself in another unit.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "algorithms/catalogue.hpp"
#include "simulate/rescaled.hpp"
#include "simulate/simulate.hpp"
#include "support/exact_simulation.hpp"
#include "support/sanitizers.hpp"
#include "topology/formats/named.hpp"

namespace tutti::test {
namespace {

constexpr unsigned seed = 90210;
constexpr double last_bits = 2e-15;

bool has_chains(const Schedule& schedule) {
  return std::any_of(schedule.programs.begin(), schedule.programs.end(), [](const Program& program) {
    return std::any_of(program.ops.begin(), program.ops.end(), [](const Op& op) { return op.chained; });
  });
}

Simulation simulated(const Algorithm& algorithm, const Problem& problem, const Topology& topology,
                     const Machine& machine, const SimulationOptions& options = {}) {
  Workload workload(algorithm, problem, 1);
  return simulate(workload, topology, machine, options);
}

Problem problem_for(const Algorithm& algorithm, int ranks, std::int64_t count) {
  Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = count, .distance = 2};
  if (has_root(algorithm.collective)) problem.root = ranks / 3;
  if (algorithm.collective == Collective::barrier) problem.count = 0;
  return problem;
}

// The engine's time in units of a nanosecond, and the exact one.
void expect_exact(const Algorithm& algorithm, const Problem& problem, const Topology& topology,
                  const ExactMachine& exact) {
  const Schedule schedule = record(algorithm, problem);
  if (has_chains(schedule)) return;
  const Machine machine{.switching = exact.switching,
                        .ports = exact.ports,
                        .ts = exact.ts / 1e9,
                        .tw = exact.tw / 1e9,
                        .th = exact.th / 1e9,
                        .tc = exact.tc / 1e9,
                        .forwarding = Forwarding::hardware};
  SimulationOptions options;
  for (const int start : exact.starts) options.skew.push_back({.start = start / 1e9});
  const double expected = exact_time(schedule, 1, topology, exact).get_d() / 1e9;
  const double seconds = simulated(algorithm, problem, topology, machine, options).seconds;
  EXPECT_NEAR(seconds, expected, last_bits * expected) << name_of(algorithm.collective) << ' ' << algorithm.name
                                                       << " on " << topology.name() << ", " << name_of(exact.switching);
}

TEST(Ties, AreDecidedAsInExactArithmeticForEveryAlgorithm) {
  std::mt19937 random(seed);
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  test::Sample sample;
  for (const char* words : {"full:5", "ring:5", "linear:6", "mesh:2x3", "tree:4", "star:5", "fat-tree:2x2", "dgx-1v"}) {
    const TopologyPtr network = topology_named(words);
    for (const Algorithm* algorithm : algorithms::catalogue()) {
      const Problem problem =
          problem_for(*algorithm, network->ranks(), static_cast<std::int64_t>(100 + random() % 900));
      if (unmet_need(*algorithm, problem)) continue;
      for (const Switching switching : {Switching::alpha_beta, Switching::store_and_forward, Switching::cut_through}) {
        ExactMachine machine{.switching = switching,
                             .ports = random() % 4 == 0 ? Ports::multiple : Ports::single,
                             .ts = static_cast<int>(random() % 3000),
                             .tw = static_cast<int>(1 + random() % 4),
                             .th = static_cast<int>(random() % 100),
                             .tc = static_cast<int>(random() % 2)};
        if (network->name() == "full:5") machine.ports = Ports::single;
        for (int r = 0; random() % 2 == 0 && r < network->ranks(); ++r)
          machine.starts.push_back(static_cast<int>(random() % 3) * 1000);
        machine.starts.resize(machine.starts.empty() ? 0 : static_cast<std::size_t>(network->ranks()));
        if (sample.takes_next()) expect_exact(*algorithm, problem, *network, machine);
      }
    }
  }
}

// An error grows eightfold every ten links if each message of many is stored, forwarded and shared with others. With
// doubles 380 messages are enough for times that are a fiftieth off; of 32 digits they leave 15.
TEST(Ties, AreDecidedAsInExactArithmeticOverManySharedLinks) {
  for (const int p : {9, 14, 20}) {
    if (test::has_seen_enough && p > 14) continue;
    const TopologyPtr line = grid_topology(Shape{p}, false);
    const Problem problem{.collective = Collective::all_to_all, .ranks = p, .count = 5000};
    const Algorithm& linear = algorithms::fitting(problem, "linear");
    expect_exact(linear, problem, *line, {.switching = Switching::store_and_forward, .ts = 1000, .tw = 1});
    expect_exact(linear, problem, *line, {.switching = Switching::cut_through, .ts = 1000, .tw = 1, .th = 10});
  }
}

TEST(Scaling, AllTimesScalesTheResultToTheLastBits) {
  std::mt19937 random(seed);
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  const std::vector<const char*> networks{"linear:20",    "ring:12",         "mesh:4x4", "torus:4x4", "tree:16",
                                          "fat-tree:3x2", "dragonfly:1x3x1", "dgx-1v",   "full:9",    "nvswitch:2x4"};
  const std::vector<Algorithm const*> all(algorithms::catalogue().begin(), algorithms::catalogue().end());
  for (int trial = 0; trial < 150; ++trial) {
    const TopologyPtr network = topology_named(networks[random() % networks.size()]);
    const Algorithm& algorithm = *all[random() % all.size()];
    const Problem problem = problem_for(algorithm, network->ranks(), static_cast<std::int64_t>(1 + random() % 5000));
    if (unmet_need(algorithm, problem)) continue;
    const auto digits = [&] { return static_cast<double>(random() % 10000); };
    const Machine machine{.switching = static_cast<Switching>(random() % 3),
                          .ts = digits() / 1e9,
                          .tw = digits() / 1e13,
                          .th = digits() / 1e11,
                          .tc = digits() / 1e14};
    SimulationOptions options{.timeline = true};
    const double seconds = simulated(algorithm, problem, *network, machine, options).seconds;
    for (const double factor : {5.0, 3.0, 7.0, 0.1, 1024.0, 1e-6}) {
      const Machine scaled{.switching = machine.switching,
                           .ts = machine.ts * factor,
                           .tw = machine.tw * factor,
                           .th = machine.th * factor,
                           .tc = machine.tc * factor};
      const Simulation result = simulated(algorithm, problem, *network, scaled, options);
      EXPECT_NEAR(result.seconds, seconds * factor, last_bits * seconds * factor)
          << name_of(algorithm.collective) << ' ' << algorithm.name << " on " << network->name() << ", "
          << name_of(machine.switching) << ", times " << factor;
    }
  }
}

TEST(TimeUnit, DividesAllTimes) {
  const std::vector<double> times{1e-6, 1e-9, 2.5e-9, 0};
  const TimeUnit unit(times);
  EXPECT_EQ(unit.in_units(1e-6), 2000);
  EXPECT_EQ(unit.in_units(1e-9), 2);
  EXPECT_EQ(unit.in_units(2.5e-9), 5);
  EXPECT_EQ(unit.in_units(0), 0);
  EXPECT_EQ(unit.seconds(2000), 1e-6);
  EXPECT_EQ(TimeUnit(std::vector<double>{0, 0}).in_units(0), 0);
  EXPECT_EQ(TimeUnit(times, 12).in_units(1e-9), 24);
}

TEST(TimeUnit, IsTheSameMultipleOfScaledTimes) {
  std::mt19937 random(seed);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> times;
    for (int k = 0; k < 4; ++k) times.push_back(static_cast<double>(1 + random() % 100000) / 1e12);
    std::vector<double> scaled = times;
    const double factor = static_cast<double>(1 + random() % 1000) / 10;
    for (double& time : scaled) time *= factor;
    for (int k = 0; k < 4; ++k) {
      const auto at = static_cast<std::size_t>(k);
      ASSERT_EQ(TimeUnit(times).in_units(times[at]), TimeUnit(scaled).in_units(scaled[at]))
          << times[at] << " times " << factor;
      ASSERT_NEAR(TimeUnit(scaled).seconds(TimeUnit(scaled).in_units(scaled[at])), scaled[at], 5e-16 * scaled[at]);
    }
  }
}

// Numbers that are no short decimals keep all their bits, however far apart they are.
TEST(TimeUnit, KeepsWhatADoubleHolds) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> mantissa(1, 10);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> times;
    for (int k = 0; k < 3; ++k) times.push_back(mantissa(random) * std::pow(10, static_cast<int>(random() % 60) - 40));
    const TimeUnit unit(times);
    for (const double time : times) ASSERT_NEAR(unit.seconds(unit.in_units(time)), time, 1e-15 * time);
  }
}

}  // namespace
}  // namespace tutti::test
