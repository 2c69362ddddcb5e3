/// @file
/// Laws of the simulator, over the whole catalogue and many networks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "topology/formats/named.hpp"
#include "tutti/error.hpp"
#include "unit/simulate/simulated.hpp"

namespace tutti {
namespace {

TEST(Simulation, CountsWhatTheScheduleSends) {
  for (const int ranks : {1, 2, 3, 7, 8, 12, 16}) {
    const TopologyPtr full = full_topology(ranks);
    for_each_fitting(ranks, [&](const Algorithm& algorithm, const Problem& problem) {
      const Traffic traffic = traffic_of(record(algorithm, problem));
      for (const Engine engine : {Engine::rounds, Engine::flows}) {
        const Simulation result = simulated(algorithm, problem, *full, machine, {.engine = engine});
        EXPECT_EQ(result.messages, traffic.messages);
        EXPECT_EQ(result.bytes, traffic.elements);
      }
    });
  }
}

TEST(Simulation, TheShortCutAgreesWithTheFullEngine) {
  for (const char* words : {"full:8", "full:13", "hypercube:4", "ring:9", "torus:3x4", "tree:8"}) {
    const TopologyPtr network = topology_named(words);
    for (const Switching switching : {Switching::alpha_beta, Switching::store_and_forward, Switching::cut_through}) {
      Machine varied = machine;
      varied.switching = switching;
      for_each_fitting(network->ranks(), [&](const Algorithm& algorithm, const Problem& problem) {
        const Simulation quick = simulated(algorithm, problem, *network, varied, {.timeline = true});
        if (quick.most_shared > 1) return;
        // Asked to choose its routes, the simulator takes the full engine; where links are free, they are chosen alike
        // on these networks but for ties, so that times without congestion are the same.
        const Simulation whole =
            simulated(algorithm, problem, *network, varied, {.routing = Routing::minimal_adaptive, .timeline = true});
        if (whole.most_shared > 1) return;
        EXPECT_NEAR(quick.seconds, whole.seconds, precision * whole.seconds);
        EXPECT_EQ(quick.rounds, whole.rounds);
        ASSERT_EQ(quick.finished.size(), whole.finished.size());
        for (std::size_t r = 0; r < quick.finished.size(); ++r) {
          EXPECT_NEAR(quick.finished[r], whole.finished[r], precision * whole.seconds);
        }
        EXPECT_EQ(quick.timeline.size(), whole.timeline.size());
      });
    }
  }
}

TEST(Simulation, IsTheSameEveryTime) {
  for (const char* words : {"ring:8", "mesh:3x4", "tree:16", "dragonfly:1x3x1", "dgx-1v"}) {
    const TopologyPtr network = topology_named(words);
    for_each_fitting(network->ranks(), [&](const Algorithm& algorithm, const Problem& problem) {
      const Simulation once = simulated(algorithm, problem, *network, machine, {.timeline = true});
      const Simulation again = simulated(algorithm, problem, *network, machine, {.timeline = true});
      EXPECT_EQ(once.seconds, again.seconds);
      EXPECT_EQ(once.finished, again.finished);
    });
  }
}

TEST(Simulation, DoesNotDependOnTheOrderOfSimultaneousEvents) {
  for (const char* words : {"full:8", "ring:8", "mesh:3x4", "tree:16", "dgx-1v"}) {
    const TopologyPtr network = topology_named(words);
    for_each_fitting(network->ranks(), [&](const Algorithm& algorithm, const Problem& problem) {
      for (const Engine engine : {Engine::rounds, Engine::flows}) {
        const Simulation once = simulated(algorithm, problem, *network, machine, {.engine = engine, .timeline = true});
        for (unsigned seed = 1; seed <= 3; ++seed) {
          const Simulation other =
              simulated(algorithm, problem, *network, machine, {.engine = engine, .timeline = true, .shuffle = seed});
          ASSERT_NEAR(once.seconds, other.seconds, precision * once.seconds) << "seed " << seed;
          ASSERT_EQ(once.rounds, other.rounds) << "seed " << seed;
          for (std::size_t r = 0; r < once.finished.size(); ++r) {
            ASSERT_NEAR(once.finished[r], other.finished[r], precision * once.seconds) << "seed " << seed;
          }
        }
      }
    });
  }
}

TEST(Simulation, LinksCarryWhatTheMessagesBring) {
  for (const char* words : {"full:6", "ring:6", "tree:8", "mesh:3x4"}) {
    const TopologyPtr network = topology_named(words);
    for_each_fitting(network->ranks(), [&](const Algorithm& algorithm, const Problem& problem) {
      for (const Engine engine : {Engine::rounds, Engine::flows}) {
        const Simulation result =
            simulated(algorithm, problem, *network, machine, {.engine = engine, .timeline = true});
        std::int64_t crossed = 0;
        for (const TimelineMessage& m : result.timeline) crossed += m.bytes * network->distance(m.from, m.to);
        std::int64_t carried = 0;
        for (const LinkLoad& load : result.loads) carried += load.bytes;
        EXPECT_EQ(carried, crossed);
      }
    });
  }
}

TEST(Simulation, FlowsAgreeWithRoundsWhereAllRanksDoTheSame) {
  // Every rank sends and receives as much as every other in every step, over links that all carry alike.
  struct Case {
    Collective collective;
    const char* algorithm;
    const char* network;
    Switching switching;
  };
  using enum Collective;
  for (const Case& c : {Case{all_gather, "ring", "ring:7", Switching::store_and_forward},
                        Case{all_gather, "recursive-doubling", "hypercube:4", Switching::store_and_forward},
                        Case{all_gather, "recursive-doubling", "ring:16", Switching::alpha_beta},
                        Case{all_reduce, "recursive-doubling", "ring:16", Switching::cut_through},
                        Case{all_reduce, "ring", "linear:9", Switching::alpha_beta},
                        Case{all_to_all, "pairwise", "torus:4x4", Switching::alpha_beta},
                        Case{all_to_all, "bruck", "ring:12", Switching::alpha_beta},
                        Case{all_to_all, "pairwise-modular", "ring:9", Switching::alpha_beta},
                        Case{shift, "direct", "hypercube:5", Switching::alpha_beta}}) {
    SCOPED_TRACE(::testing::Message() << name_of(c.collective) << ' ' << c.algorithm << " on " << c.network);
    const TopologyPtr network = topology_named(c.network);
    Machine varied = machine;
    varied.switching = c.switching;
    const Problem problem{.collective = c.collective, .ranks = network->ranks(), .count = 16 * 9 * 7, .distance = 5};
    const Algorithm& algorithm = algorithms::fitting(problem, c.algorithm);
    const double rounds = simulated(algorithm, problem, *network, varied, {.engine = Engine::rounds}).seconds;
    const double flows = simulated(algorithm, problem, *network, varied).seconds;
    EXPECT_NEAR(flows, rounds, precision * rounds);
  }
}

TEST(Skew, ALateRankDelaysThoseThatNeedIt) {
  const Problem problem{.collective = Collective::broadcast, .ranks = 4, .count = 1000};
  const Algorithm& binomial = algorithms::fitting(problem, "binomial");
  const TopologyPtr full = full_topology(4);
  const double step = machine.ts + 1000 * machine.tw;
  SimulationOptions options;
  options.skew.resize(4);
  options.skew[2].start = 10e-6;  // 0 -> 2 -> 3, then 0 -> 1
  const Simulation result = simulated(binomial, problem, *full, machine, options);
  EXPECT_NEAR(result.finished[2], 10e-6 + 2 * step, 1e-15);
  EXPECT_NEAR(result.finished[3], 10e-6 + 2 * step, 1e-15);
  EXPECT_NEAR(result.finished[1], 10e-6 + 2 * step, 1e-15);
}

TEST(Skew, ASlowRankCombinesSlowly) {
  const Problem problem{.collective = Collective::reduce, .ranks = 2, .count = 1000};
  const Algorithm& binomial = algorithms::fitting(problem, "binomial");
  SimulationOptions options;
  options.skew.resize(2);
  options.skew[0].slowness = 3;
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    options.engine = engine;
    const double expected = machine.ts + 1000 * machine.tw + 3 * 1000 * machine.tc;
    EXPECT_NEAR(simulated(binomial, problem, *full_topology(2), machine, options).seconds, expected, 1e-15);
  }
}

TEST(Simulation, TellsHowManyMessagesHavePassed) {
  const TopologyPtr ring = topology_named("ring:6");
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    for_each_fitting(6, [&](const Algorithm& algorithm, const Problem& problem) {
      std::vector<std::int64_t> told;
      std::int64_t of_all = 0;
      SimulationOptions options{.engine = engine};
      options.progress = [&](std::int64_t passed, std::int64_t all) {
        told.push_back(passed);
        of_all = all;
      };
      const Simulation result = simulated(algorithm, problem, *ring, machine, options);
      EXPECT_EQ(of_all, result.messages);
      EXPECT_EQ(told.empty() ? 0 : told.back(), result.messages);
      EXPECT_TRUE(std::is_sorted(told.begin(), told.end(), std::less_equal()));
      options.progress = {};
      EXPECT_EQ(simulated(algorithm, problem, *ring, machine, options).seconds, result.seconds);
    });
  }
}

TEST(Simulation, TellsAThousandTimesOfManyMessages) {
  const TopologyPtr ring = topology_named("ring:64");
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    int told = 0;
    SimulationOptions options{.engine = engine};
    options.progress = [&](std::int64_t, std::int64_t) { ++told; };
    const Problem problem{.collective = Collective::all_to_all, .ranks = 64, .count = 8};
    const Algorithm& pairwise = algorithms::fitting(problem, "pairwise");
    const Simulation result = simulated(pairwise, problem, *ring, machine, options);
    EXPECT_GT(result.messages, 4000);
    EXPECT_GT(told, 500);
    EXPECT_LE(told, 1001);
  }
}

TEST(Stall, NamesTheRanksThatWait) {
  const Record both_send_first = [](Script& me, const Problem&) {
    me.send(me.input(), 1 - me.rank());
    me.wait();
    me.receive(me.output(), 1 - me.rank());
  };
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    Workload workload(both_send_first, {.collective = Collective::shift, .ranks = 2, .count = 5}, 1);
    try {
      simulate(workload, *full_topology(2), machine, {.engine = engine});
      FAIL() << "a deadlock went unnoticed";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("rank 0 for rank 1"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("rank 1 for rank 0"), std::string::npos) << error.what();
    }
  }
}

TEST(Skew, RoundsRefuseRanksThatBeginLate) {
  const Problem problem{.collective = Collective::broadcast, .ranks = 4, .count = 10};
  const Algorithm& binomial = algorithms::fitting(problem, "binomial");
  SimulationOptions options{.engine = Engine::rounds};
  options.skew.resize(4);
  EXPECT_NO_THROW(simulated(binomial, problem, *full_topology(4), machine, options));
  options.skew[1].start = 1e-6;
  EXPECT_THROW(simulated(binomial, problem, *full_topology(4), machine, options), Error);
}

TEST(Limits, ASimulationIsGivenUpWhereItIsNotOverAtThatTime) {
  constexpr double little = 1e-6;
  for (const char* words : {"full:6", "ring:6", "tree:8"}) {
    const TopologyPtr network = topology_named(words);
    for_each_fitting(network->ranks(), [&](const Algorithm& algorithm, const Problem& problem) {
      const double seconds = simulated(algorithm, problem, *network, machine).seconds;
      const auto is_whole = [&](double until) {
        return simulated(algorithm, problem, *network, machine, {.until = until}).is_whole;
      };
      EXPECT_TRUE(is_whole(seconds * (1 + little)));
      EXPECT_FALSE(is_whole(seconds * (1 - little)) && seconds > 0);
    });
  }
}

// Two messages share a link, and the longer one becomes faster as the other ends: what was expected of it before is no
// part of the simulation.
TEST(Limits, ASimulationIsOverWhenItsRanksAre) {
  const Problem problem{.collective = Collective::gather, .ranks = 3, .root = 2, .counts = {10, 30, 0}};
  const auto text = [](Script& me, const Problem&) {
    if (me.rank() < 2) return me.send(me.input(), 2);
    me.receive(me.output(0), 0);
    me.receive(me.output(1), 1);
  };
  Machine slow{.ts = 0, .tw = 1};
  slow.ports = Ports::multiple;
  const TopologyPtr line = topology_named("linear:3");
  for (const double until : {39.0, 41.0, 50.0, 59.0, 61.0}) {
    Workload workload(text, problem, 1);
    const Simulation result = simulate(workload, *line, slow, {.until = until});
    EXPECT_EQ(result.is_whole, until > 40) << until;
    EXPECT_EQ(result.seconds, until > 40 ? 40 : 0);
  }
}

/// Whichever way it is simulated, what crosses a link is on it.
TEST(Shared, EveryMessageIsOnALink) {
  const TopologyPtr network = full_topology(4);
  for_each_fitting(4, [&](const Algorithm& algorithm, const Problem& problem) {
    for (const Engine engine : {Engine::flows, Engine::rounds}) {
      for (const std::optional<std::int64_t> eager : {std::optional<std::int64_t>(), std::optional<std::int64_t>(0)}) {
        const Simulation result = simulated(algorithm, problem, *network, machine, {.engine = engine, .eager = eager});
        EXPECT_EQ(result.most_shared > 0, result.messages > 0) << algorithm.name;
      }
    }
  });
}

TEST(Input, WhatNoScheduleMayHaveIsRefused) {
  const Problem problem{.collective = Collective::broadcast, .ranks = 4, .count = std::int64_t{1} << 50};
  for (const int peer : {-1, 4, 1'000'000'000}) {
    const auto text = [peer](Script& me, const Problem&) {
      if (me.rank() == 0) me.send(me.message(), peer);
    };
    EXPECT_THROW(Workload(text, problem, 1), Error) << peer;
  }
  EXPECT_NO_THROW(Workload(algorithms::fitting(problem, "linear"), problem, 1 << 8));
  EXPECT_THROW(Workload(algorithms::fitting(problem, "linear"), problem, 1 << 12), Error) << "three of 2^62 bytes";
  EXPECT_THROW(Workload(algorithms::fitting(problem, "linear"), problem, 1 << 20), Error);
}

TEST(Input, ParametersOutOfRangeAreRefused) {
  const Problem problem{.collective = Collective::broadcast, .ranks = 4, .count = 1};
  const Algorithm& algorithm = algorithms::fitting(problem, "binomial");
  const auto with = [&](auto&& change) {
    Machine changed = machine;
    change(changed);
    return changed;
  };
  const TopologyPtr full = full_topology(4);
  EXPECT_THROW(simulated(algorithm, problem, *full, with([](Machine& m) { m.ts = -1; })), Error);
  EXPECT_THROW(simulated(algorithm, problem, *full, with([](Machine& m) { m.tw = std::nan(""); })), Error);
  EXPECT_THROW(simulated(algorithm, problem, *full, with([](Machine& m) { m.th = INFINITY; })), Error);
  EXPECT_THROW(simulated(algorithm, problem, *full, with([](Machine& m) { m.packet = -8; })), Error);
  EXPECT_THROW(simulated(algorithm, problem, *full_topology(5), machine), Error);
  EXPECT_THROW(simulated(algorithm, problem, *full, machine, {.skew = {Skew{}}}), Error);
  EXPECT_THROW(simulated(algorithm, problem, *full, machine, {.skew = std::vector<Skew>(4, Skew{.start = -1})}), Error);
}

}  // namespace
}  // namespace tutti
