/// @file
/// Closed forms against simulation, and simulation against lower bounds: for every algorithm, many ranks and counts.

#include <gtest/gtest.h>

#include <random>

#include "algorithms/catalogue.hpp"
#include "cost/closed_form.hpp"
#include "cost/lower_bound.hpp"
#include "simulate/simulate.hpp"
#include "topology/named.hpp"

namespace tutti {
namespace {

constexpr std::uint64_t seed = 20031;
constexpr std::int64_t element_bytes = 4;

std::vector<int> rank_counts() {
  std::vector<int> counts;
  for (int p = 1; p <= 20; ++p) counts.push_back(p);
  for (const int p : {24, 31, 32, 33, 64}) counts.push_back(p);
  return counts;
}

// Parameters of which no two terms agree by chance.
Machine random_machine(std::mt19937_64& random, Switching switching) {
  std::uniform_real_distribution<double> factor(0.3, 3);
  return {.switching = switching, .ts = 1e-6 * factor(random), .tw = 1e-9 * factor(random), .th = 1e-7 * factor(random)};
}

double simulated(const Algorithm& algorithm, const Problem& problem, const Topology& topology, const Machine& machine, Engine engine) {
  Workload workload(algorithm.record, problem, element_bytes);
  return simulate(workload, topology, machine, {.engine = engine}).seconds;
}

void expect_near(double seconds, double form, const std::string& what) {
  EXPECT_NEAR(seconds, form, 1e-9 * std::max(seconds, form)) << what << ", seed " << seed;
}

// Problems of p ranks whose messages p divides: several roots, distances and grids, operators of both kinds.
std::vector<Problem> problems(const Algorithm& algorithm, int p) {
  std::vector<Problem> all;
  const bool whole = !has_blocks(algorithm.collective);
  for (const int root : {0, p / 2, p - 1}) {
    for (const bool commutative : {true, false}) {
      for (const std::int64_t blocks : {1, 3, 1000}) {
        Problem problem{.collective = algorithm.collective, .ranks = p, .count = blocks * (whole ? p : 1), .root = root};
        problem.distance = algorithm.collective == Collective::shift ? root + static_cast<int>(blocks % 7) : 0;
        problem.commutative = commutative;
        if (algorithm.collective == Collective::barrier) problem.count = 0;
        if (!has_root(algorithm.collective)) problem.root = 0;
        if (p % 2 == 0 && blocks == 3) problem.grid = {2, p / 2};
        if (p % 4 == 0 && blocks == 1000) problem.grid = {2, p / 4, 2};
        if (!unmet_need(algorithm, problem)) all.push_back(problem);
      }
    }
  }
  return all;
}

TEST(ClosedForm, EveryAlgorithmHasOneForFullyConnectedRanks) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    EXPECT_NE(find_form(*algorithm, "full", Switching::alpha_beta), nullptr) << name_of(algorithm->collective) << " " << algorithm->name;
  }
}

TEST(ClosedForm, IsTheSimulatedTimeOnFullyConnectedRanks) {
  std::mt19937_64 random(seed);
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const int p : rank_counts()) {
      const TopologyPtr full = topology_named("full:" + std::to_string(p));
      for (const Problem& problem : problems(*algorithm, p)) {
        Machine machine = random_machine(random, Switching::alpha_beta);
        for (const double tc : {0.0, 7e-10}) {
          machine.tc = tc;
          const auto priced = price(*algorithm, problem, *full, machine);
          ASSERT_TRUE(priced.has_value());
          const double form = seconds(priced->terms, element_bytes, machine);
          const std::string what = std::string(algorithm->name) + ", " + describe(problem) + (tc > 0 ? ", combining" : "");
          expect_near(simulated(*algorithm, problem, *full, machine, Engine::rounds), form, what + ", rounds");
          expect_near(simulated(*algorithm, problem, *full, machine, Engine::flows), form, what + ", flows");
        }
      }
    }
  }
}

}  // namespace
}  // namespace tutti
