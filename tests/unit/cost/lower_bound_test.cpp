/// @file
/// Simulation against lower bounds: for every algorithm, network and count.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "algorithms/catalogue.hpp"
#include "base/integers.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "cost/bounds/volume.hpp"
#include "simulate/simulate.hpp"
#include "support/sanitizers.hpp"
#include "support/spelled_out.hpp"
#include "topology/formats/named.hpp"
#include "topology/graph.hpp"

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
                 Engine engine, double injection) {
  Workload workload(algorithm, problem, element_bytes);
  return simulate(workload, topology, machine, {.engine = engine, .injection = injection}).seconds;
}

void expect_never_beaten(const Topology& topology, const Machine& machine, const Problem& problem,
                         double injection = 0) {
  const LowerBound bound = lower_bound(problem, element_bytes, topology, machine, injection);
  for (const Algorithm* algorithm : algorithms::algorithms_for(problem.collective)) {
    if (unmet_need(*algorithm, problem)) continue;
    for (const Engine engine : {Engine::rounds, Engine::flows}) {
      EXPECT_GE(simulated(*algorithm, problem, topology, machine, engine, injection), bound.seconds * (1 - 1e-9))
          << topology.name() << ", " << name_of(machine.switching) << ", " << name_of(engine) << ", " << algorithm->name
          << ", " << describe(problem) << ", " << bound.name << ", injection " << injection << ", seed " << seed;
    }
  }
}

Problem problem_on(const Topology& topology, Collective collective, std::int64_t count, std::mt19937_64& random) {
  const auto rank = static_cast<int>(random() % static_cast<std::uint64_t>(topology.ranks()));
  Problem problem{.collective = collective, .ranks = topology.ranks(), .count = count};
  if (collective == Collective::barrier) problem.count = 0;
  if (collective == Collective::shift) problem.distance = rank;
  if (has_root(collective)) problem.root = rank;
  return problem;
}

TEST(LowerBound, IsNeverBeaten) {
  std::mt19937_64 random(seed);
  test::Sample sample;
  for (const char* words :
       {"full:1",       "full:2",       "full:7",          "full:16",    "ring:5",      "ring:8",
        "linear:6",     "mesh:3x4",     "torus:3x3",       "torus:4x4",  "torus:2x3x4", "torus:2x2x2",
        "hypercube:4",  "star:6",       "tree:8",          "nvlink:4",   "nvswitch:8",  "dgx-1v",
        "nvswitch:3x4", "fat-tree:2x3", "dragonfly:1x2x1", "clos:2x3x2", "rails:2x3",   "fat-tree:2x3x2"}) {
    const TopologyPtr topology = topology_named(words);
    for (const Collective collective : all_collectives()) {
      for (const std::int64_t count : {0, 1, 5, 240}) {
        for (const Ports ports : {Ports::single, Ports::multiple}) {
          for (const Switching switching :
               {Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta}) {
            if (!sample.takes_next()) continue;
            Machine machine = random_machine(random, switching);
            machine.ports = ports;
            expect_never_beaten(*topology, machine, problem_on(*topology, collective, count, random));
          }
        }
      }
    }
  }
}

// Also where there are too many ranks to ask each of them.
TEST(LowerBound, KnowsTheBlockThatAShiftBringsFromOneRankAndToOne) {
  for (const int ranks : {2, 3, 8, 1 << 20}) {
    for (const int distance : {0, 1, ranks - 1, ranks, -1}) {
      const Problem shift{.collective = Collective::shift, .ranks = ranks, .count = 5, .distance = distance};
      const double moved = distance % ranks == 0 ? 0 : 5;
      for (const int rank : {0, ranks / 2, ranks - 1}) {
        EXPECT_EQ(volume_across(shift, 1, [&](int other) { return other == rank; }), moved) << ranks;
        EXPECT_EQ(volume_across(shift, ranks - 1, [&](int other) { return other != rank; }), moved) << ranks;
      }
    }
  }
}

TEST(LowerBound, IsNeverBeatenWhereRanksHaveLimits) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> factor(0.3, 10);
  test::Sample sample;
  for (const char* words : {"full:7", "ring:5", "mesh:3x4", "hypercube:3", "star:6", "rails:2x3", "clos:2x3x2"}) {
    const TopologyPtr topology = topology_named(words);
    for (const Collective collective : all_collectives()) {
      for (const std::int64_t count : {1, 240}) {
        for (const Ports ports : {Ports::single, Ports::multiple}) {
          if (!sample.takes_next()) continue;
          Machine machine = random_machine(random, static_cast<Switching>(random() % 3));
          machine.ports = ports;
          expect_never_beaten(*topology, machine, problem_on(*topology, collective, count, random),
                              machine.tw * factor(random));
        }
      }
    }
  }
}

// Links as fast as one likes are of no use to ranks that send and get ten nanoseconds a byte.
TEST(LowerBound, KnowsTheLimitsOfRanks) {
  constexpr double injection = 1e-8;
  constexpr std::int64_t bytes = 1'000'000;
  const TopologyPtr network = topology_named("full:8");
  for (const auto& [collective, volume] :
       {std::pair{Collective::broadcast, 1.0}, std::pair{Collective::gather, 7.0}, std::pair{Collective::scatter, 7.0},
        std::pair{Collective::all_to_all, 7.0}, std::pair{Collective::all_gather, 7.0},
        std::pair{Collective::all_reduce, 2 * 7.0 / 8}}) {
    for (const Ports ports : {Ports::single, Ports::multiple}) {
      const Problem problem{.collective = collective, .ranks = 8, .count = bytes};
      const LowerBound bound = lower_bound(problem, 1, *network, Machine{.ports = ports, .tw = 1e-12}, injection);
      EXPECT_EQ(bound.name, "injection") << name_of(collective);
      EXPECT_NEAR(bound.seconds, volume * injection * bytes, 2e-6) << name_of(collective);
      EXPECT_LT(lower_bound(problem, 1, *network, Machine{.ports = ports, .tw = 1e-12}).seconds, bound.seconds / 100);
    }
  }
}

// Directed links of any width, some of which cost nothing a byte, and a few switches. A way round over all nodes makes
// the graph connected.
TopologyPtr random_graph(std::mt19937_64& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  GraphDescription graph{.name = "random", .ranks = below(8) == 0 ? 9 : 2 + below(6), .switches = below(4)};
  const int nodes = graph.ranks + graph.switches;
  const auto add = [&](int from, int to) {
    // Links side by side would have to cost the same.
    const auto beside = [&](const Link& link) { return link.from == from && link.to == to; };
    if (from == to || std::any_of(graph.links.begin(), graph.links.end(), beside)) return;
    LinkCost cost{.lanes = std::pow(10.0, below(5) - 2)};
    if (below(2) == 0) cost.tw = below(3) == 0 ? 0 : 1e-9 * (1 + below(1000));
    if (below(4) == 0) cost.ts = 1e-7 * below(30);
    graph.links.push_back({from, to, cost});
  };
  for (int node = 0; node < nodes; ++node) add(node, (node + 1) % nodes);
  for (int extra = below(2 * nodes); extra > 0; --extra) add(below(nodes), below(nodes));
  return graph_topology(std::move(graph));
}

TEST(LowerBound, IsNeverBeatenOnRandomDirectedGraphs) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < (test::has_seen_enough ? 20 : 100); ++trial) {
    const TopologyPtr graph = random_graph(random);
    constexpr Switching ways[] = {Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta};
    Machine machine = random_machine(random, ways[trial % 3]);
    machine.ports = random() % 2 == 0 ? Ports::single : Ports::multiple;
    for (const Collective collective : all_collectives()) {
      const std::int64_t count = random() % 3 == 0 ? 1 : 1000 + static_cast<std::int64_t>(random() % 5000);
      const Problem problem = problem_on(*graph, collective, count, random);
      expect_never_beaten(*graph, machine, problem);
    }
  }
}

double bound_of(Collective collective, const Topology& topology, std::int64_t bytes, int root = 0) {
  const Problem problem{
      .collective = collective, .ranks = topology.ranks(), .count = bytes, .root = root, .distance = 1};
  return lower_bound(problem, 1, topology, {}).seconds;
}

TEST(LowerBound, GoesTheWayThatDataMustGo) {
  const TopologyPtr network = topology_from_json(
      R"({"ranks": 2, "links": [{"from": 0, "to": 1, "lanes": 100, "directed": true},
                                {"from": 1, "to": 0, "lanes": 0.01, "directed": true}]})",
      "two");
  constexpr std::int64_t bytes = 1'000'000;
  EXPECT_NEAR(bound_of(Collective::broadcast, *network, bytes), 11e-6, 1e-12);
  EXPECT_NEAR(bound_of(Collective::scatter, *network, bytes), 11e-6, 1e-12);
  for (const Collective slow : {Collective::reduce, Collective::gather, Collective::all_reduce, Collective::all_gather,
                                Collective::all_to_all, Collective::shift}) {
    EXPECT_NEAR(bound_of(slow, *network, bytes), 0.1, 2e-6) << name_of(slow);
  }
  EXPECT_NEAR(bound_of(Collective::broadcast, *network, bytes, 1), 0.1, 2e-6);
  EXPECT_NEAR(bound_of(Collective::reduce, *network, bytes, 1), 11e-6, 1e-12);
}

TEST(LowerBound, CountsWhatLinksCostAndNotWhatTheMachineWouldSay) {
  const TopologyPtr slow = topology_from_json(R"({"ranks": 2, "links": [{"from": 0, "to": 1, "tw": 1e-6}]})", "slow");
  EXPECT_NEAR(bound_of(Collective::broadcast, *slow, 1000), 1e-6 + 1e-3, 1e-12);
  // A link on which bytes cost nothing speeds up what crosses it, and nothing else.
  const TopologyPtr mixed = topology_from_json(
      R"({"ranks": 4, "links": [{"from": 0, "to": 1, "tw": 0}, {"from": 1, "to": 2}, {"from": 2, "to": 3}]})", "mixed");
  EXPECT_GE(bound_of(Collective::broadcast, *mixed, 1'000'000), 1e-3);
  EXPECT_GE(bound_of(Collective::all_to_all, *mixed, 1'000'000), 4e-3);
}

// A rank tells of a block in a reduce-scatter as much as it hears of it in an all-gather; one element alone needs as
// many rounds as a block a rank.
TEST(LowerBound, OfBlocksThatDifferIsTheSameBothWays) {
  std::mt19937_64 random(seed);
  for (int p = 2; p <= 9; ++p) {
    const TopologyPtr full = topology_named("full:" + std::to_string(p));
    const Machine machine = random_machine(random, Switching::alpha_beta);
    for (const bool one_element : {false, true}) {
      Problem problem{.collective = Collective::all_gather, .ranks = p};
      for (int rank = 0; rank < p; ++rank)
        problem.counts.push_back(one_element ? 0 : static_cast<std::int64_t>(random() % 5000));
      problem.counts.back() = one_element ? 1 : 100'000;
      const double gathered = lower_bound(problem, element_bytes, *full, machine).seconds;
      EXPECT_GE(gathered, machine.ts * ceil_log2(p)) << describe(problem);
      expect_never_beaten(*full, machine, problem);
      problem.collective = Collective::reduce_scatter;
      EXPECT_DOUBLE_EQ(lower_bound(problem, element_bytes, *full, machine).seconds, gathered)
          << describe(problem) << ", seed " << seed;
      expect_never_beaten(*full, machine, problem);
    }
  }
}

// Even ranks on one switch, odd ones on another, and one cable between the two: no range of ranks is cut off by it.
TEST(LowerBound, FindsTheNarrowestOfAllCuts) {
  GraphDescription graph{.name = "even and odd", .ranks = 12, .switches = 2};
  for (int rank = 0; rank < 12; ++rank) add_cable(graph, rank, 12 + rank % 2, {.lanes = 8});
  for (int rank = 0; rank < 12; ++rank) add_cable(graph, rank, (rank + 2) % 12, {.lanes = 8});
  add_cable(graph, 0, 7);
  const TopologyPtr network = graph_topology(std::move(graph));
  constexpr std::int64_t bytes = 1 << 20;
  for (const Collective collective : {Collective::broadcast, Collective::reduce, Collective::all_reduce}) {
    for (const int root : {0, 5}) {
      const double bound = bound_of(collective, *network, bytes, has_root(collective) ? root : 0);
      EXPECT_GE(bound, (1 - 1e-12) * 1e-9 * bytes) << name_of(collective) << ", root " << root;
    }
  }
  for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter})
    EXPECT_NEAR(bound_of(collective, *network, bytes), 6e-9 * bytes, 1e-12) << name_of(collective);
  std::mt19937_64 random(seed);
  for (const Collective collective : all_collectives())
    expect_never_beaten(*network, random_machine(random, Switching::alpha_beta),
                        problem_on(*network, collective, 240, random));
}

double load_bound_of(Collective collective, const Topology& topology) {
  const Problem problem{.collective = collective, .ranks = topology.ranks(), .count = 4096, .distance = 1};
  for (const LowerBound& bound : lower_bounds(problem, 1, topology, {.ports = Ports::multiple})) {
    if (bound.name == "link-load") return bound.seconds;
  }
  return 0;
}

TEST(LowerBound, IsThatOfTheSameGraphUnderAnotherName) {
  for (const auto& [one, other] : {std::pair{"torus:2x2x2", "hypercube:3"}, std::pair{"torus:2x2", "ring:4"},
                                   std::pair{"ring:2", "linear:2"}, std::pair{"ring:3", "full:3"}}) {
    for (const Collective collective : all_collectives()) {
      EXPECT_NEAR(bound_of(collective, *topology_named(one), 4096), bound_of(collective, *topology_named(other), 4096),
                  1e-15)
          << one << ", " << name_of(collective);
      // Their links are the same, too, though the ways of a shift need not be.
      if (collective == Collective::shift) continue;
      EXPECT_NEAR(load_bound_of(collective, *topology_named(one)), load_bound_of(collective, *topology_named(other)),
                  1e-15)
          << one << ", " << name_of(collective);
    }
  }
}

// A network's name must not matter: its graph, link by link, has no weaker bound.
TEST(LowerBound, OfANamedNetworkIsThatOfItsLinks) {
  for (const char* words : {"ring:6", "linear:7", "torus:2x3", "hypercube:3", "star:5", "tree:8", "fat-tree:2x3",
                            "full:5", "dragonfly:1x2x1"}) {
    const TopologyPtr network = topology_named(words);
    const TopologyPtr graph = test::spelled_out(*network);
    for (const Collective collective : all_collectives()) {
      for (const int root : {0, network->ranks() - 1}) {
        if (root > 0 && !has_root(collective)) continue;
        const double named = bound_of(collective, *network, 100'000, root);
        EXPECT_NEAR(bound_of(collective, *graph, 100'000, root), named, 1e-9 * named)
            << words << ", " << name_of(collective) << ", root " << root;
      }
    }
  }
}

TEST(LowerBound, SeesTheCardsOfAMachine) {
  // Four machines: 8 ranks send 24 others 1 MiB each over four lanes' worth of cards.
  EXPECT_NEAR(bound_of(Collective::all_to_all, *topology_named("nvswitch:4x8"), 1 << 20), 8 * 24 / 4.0 * 1.048576e-3,
              1e-9);
}

// 16 ranks and 80 switches: halving by branch and bound, where all halves by themselves take a minute.
TEST(LowerBound, OfManySwitchesComesSoon) {
  std::mt19937_64 random(seed);
  GraphDescription graph{.name = "switches", .ranks = 16, .switches = 80};
  for (int rank = 0; rank < 16; ++rank) add_cable(graph, rank, 16 + 5 * rank);
  for (int k = 0; k < 80; ++k) add_cable(graph, 16 + k, 16 + (k + 1) % 80);
  for (int k = 0; k < 120; ++k) {
    const int a = static_cast<int>(random() % 80);
    const int b = static_cast<int>(random() % 80);
    if (a != b) add_cable(graph, 16 + a, 16 + b);
  }
  const TopologyPtr network = graph_topology(std::move(graph));
  EXPECT_GT(bound_of(Collective::all_to_all, *network, 1000), 15e-6);
  EXPECT_GE(network->bisection().value_or(0), 1.0);
}

}  // namespace
}  // namespace tutti
