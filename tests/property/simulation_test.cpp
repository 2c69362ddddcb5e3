/// @file
/// Laws of the simulator, over the whole catalogue and many networks.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <tuple>

#include "algorithms/catalogue.hpp"
#include "simulate/fair_shares.hpp"
#include "simulate/simulate.hpp"
#include "topology/embedding.hpp"
#include "topology/graph.hpp"
#include "topology/named.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

constexpr double precision = 1e-9;

Problem problem_for(const Algorithm& algorithm, int ranks) {
  Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = 24 * ranks, .distance = 3};
  if (has_root(algorithm.collective)) problem.root = ranks / 3;
  if (algorithm.collective == Collective::barrier) problem.count = 0;
  return problem;
}

Simulation simulated(const Algorithm& algorithm, const Problem& problem, const Topology& topology,
                     const Machine& machine, const SimulationOptions& options = {}) {
  Workload workload(algorithm, problem, 1);
  return simulate(workload, topology, machine, options);
}

void for_each_fitting(int ranks, const std::function<void(const Algorithm&, const Problem&)>& see) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    const Problem problem = problem_for(*algorithm, ranks);
    if (unmet_need(*algorithm, problem)) continue;
    SCOPED_TRACE(::testing::Message() << name_of(algorithm->collective) << ' ' << algorithm->name << " p = " << ranks);
    see(*algorithm, problem);
  }
}

constexpr Machine machine{.ts = 1e-6, .tw = 1e-9, .th = 1e-7, .tc = 1e-10};

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
  for (const char* words : {"full:8", "full:13", "hypercube:4", "ring:9", "mesh:3x4", "tree:8"}) {
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
  for (const char* words : {"ring:8", "linear:3x4", "tree:16", "dragonfly:1x3x1", "dgx-1v"}) {
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
  for (const char* words : {"full:8", "ring:8", "linear:3x4", "tree:16", "dgx-1v"}) {
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
  for (const char* words : {"full:6", "ring:6", "tree:8", "linear:3x4"}) {
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
                        Case{all_to_all, "pairwise", "mesh:4x4", Switching::alpha_beta},
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

Simulation messages_on(const Topology& network, const std::vector<std::pair<int, int>>& pairs, std::int64_t bytes,
                       const Machine& on, const SimulationOptions& options = {}) {
  const Record text = [&](Script& me, const Problem&) {
    for (const auto& [from, to] : pairs) {
      if (from == me.rank()) me.send(me.input(), to);
      if (to == me.rank()) me.receive(me.output(), from);
    }
  };
  Workload workload(text, {.collective = Collective::shift, .ranks = network.ranks(), .count = bytes}, 1);
  return simulate(workload, network, on, options);
}

TEST(Congestion, MessagesOnALinkShareIt) {
  const TopologyPtr line = topology_named("linear:8");
  const double alpha = machine.ts;
  const double beta = machine.tw * 1000;
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    const auto time = [&](const std::vector<std::pair<int, int>>& pairs) {
      return messages_on(*line, pairs, 1000, machine, {.engine = engine}).seconds;
    };
    EXPECT_NEAR(time({{0, 2}, {6, 3}}), alpha + beta, 1e-15);
    EXPECT_NEAR(time({{1, 6}, {7, 4}}), alpha + beta, 1e-15);
    EXPECT_NEAR(time({{1, 6}, {4, 7}}), alpha + 2 * beta, 1e-15);
    EXPECT_NEAR(time({{0, 5}, {1, 6}, {2, 7}}), alpha + 3 * beta, 1e-15);
  }
}

TEST(Congestion, AShortFlowLeavesItsShareToTheOthers) {
  // Two flows share a link; the second starts when the first is half done, and has it to itself in the end.
  const TopologyPtr line = topology_named("linear:4");
  SimulationOptions late;
  late.skew.resize(4);
  late.skew[1].start = 0.5e-6;
  const Machine bare{.ts = 0, .tw = 1e-9};
  const Simulation result = messages_on(*line, {{0, 2}, {1, 3}}, 1000, bare, late);
  EXPECT_NEAR(result.finished[2], 1.5e-6, 1e-15);
  EXPECT_NEAR(result.finished[3], 2.0e-6, 1e-15);
  EXPECT_EQ(result.most_shared, 2);
}

TEST(Congestion, AdaptiveRoutesGoAroundEachOther) {
  const TopologyPtr mesh = topology_named("linear:3x3");
  const double alone = machine.ts + machine.tw * 1000;
  EXPECT_NEAR(messages_on(*mesh, {{0, 8}, {4, 6}}, 1000, machine, {.routing = Routing::minimal_adaptive}).seconds,
              alone, 1e-15);
  // 0 -> 2 and 1 -> 2 have one way only.
  EXPECT_GT(messages_on(*mesh, {{0, 2}, {1, 5}}, 1000, machine).seconds, alone);
}

TEST(Packets, FollowOneAnotherDownALine) {
  for (int p = 2; p <= 9; ++p) {
    for (const std::int64_t words : {1, 2, 7, 100}) {
      const Machine on{.switching = Switching::store_and_forward, .ts = 3e-6, .tw = 1e-9, .packet = 8};
      const TopologyPtr line = grid_topology(Shape{p}, false);
      const double t = 8 * on.tw;
      const double expected = on.ts + t * (p - 1) + t * static_cast<double>(words - 1);
      for (const Engine engine : {Engine::rounds, Engine::flows}) {
        EXPECT_NEAR(messages_on(*line, {{0, p - 1}}, 8 * words, on, {.engine = engine}).seconds, expected,
                    precision * expected);
      }
    }
  }
}

TEST(Links, TheirOwnParametersReplaceTheMachines) {
  GraphDescription graph{.name = "two links", .ranks = 2, .switches = 1};
  add_cable(graph, 0, 2, {.lanes = 4, .ts = 5e-6});
  add_cable(graph, 2, 1, {.tw = 2e-9, .th = 1e-6});
  const TopologyPtr network = graph_topology(graph);
  Machine on = machine;
  on.switching = Switching::cut_through;
  EXPECT_NEAR(messages_on(*network, {{0, 1}}, 1000, on).seconds, 5e-6 + 1e-7 + 1e-6 + 2e-6, 1e-15);
  on.switching = Switching::store_and_forward;
  EXPECT_NEAR(messages_on(*network, {{0, 1}}, 1000, on).seconds, 5e-6 + 0.25e-6 + 2e-6, 1e-15);
}

TEST(Ports, OneMessageAtATimeUnlessThereAreMore) {
  const TopologyPtr full = full_topology(5);
  Machine on = machine;
  const double one = on.ts + 100 * on.tw;
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    on.ports = Ports::single;
    EXPECT_NEAR(messages_on(*full, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}, 100, on, {.engine = engine}).seconds, 4 * one,
                1e-15);
    on.ports = Ports::multiple;
    EXPECT_NEAR(messages_on(*full, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}, 100, on, {.engine = engine}).seconds, one, 1e-15);
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

// Both messages of a shift by 2 cross the links 4-5 and 5-6.
TopologyPtr dumbbell(double outer_tw, double first_tw, double second_tw) {
  GraphDescription graph{.name = "dumbbell", .ranks = 4, .switches = 3};
  for (const auto& [a, b] : {std::pair{0, 4}, {1, 4}, {6, 2}, {6, 3}}) add_cable(graph, a, b, {.tw = outer_tw});
  add_cable(graph, 4, 5, {.tw = first_tw});
  add_cable(graph, 5, 6, {.tw = second_tw});
  return graph_topology(graph);
}

TEST(FreeLinks, ShareNothingAndHoldNobodyUp) {
  for (const Switching switching : {Switching::alpha_beta, Switching::store_and_forward, Switching::cut_through}) {
    for (const Engine engine : {Engine::rounds, Engine::flows}) {
      const Machine on{.switching = switching, .ts = 0, .tw = 1e-9};
      const SimulationOptions options{.engine = engine, .timeline = true};
      const Simulation shared = messages_on(*dumbbell(0, 0, 1e-9), {{0, 2}, {1, 3}}, 1000000, on, options);
      EXPECT_NEAR(shared.seconds, 2e-3, 1e-17);
      for (const LinkLoad& load : shared.loads) EXPECT_EQ(load.bytes % 1000000, 0);
      EXPECT_EQ(shared.loads.size(), 6u);
      // The other way about: what is shared is free, and each message has slow links of its own.
      const double slow = switching == Switching::store_and_forward ? 2e-3 : 1e-3;
      const TopologyPtr free_middle = dumbbell(1e-9, 0, 0);
      EXPECT_NEAR(messages_on(*free_middle, {{0, 2}, {1, 3}}, 1000000, on, options).seconds, slow, 1e-17);
      EXPECT_EQ(messages_on(*dumbbell(0, 0, 0), {{0, 2}, {1, 3}}, 1000000, on, options).seconds, 0);
    }
  }
}

TEST(Congestion, AdaptiveRoutesGoAroundMessagesThatBeginWithThem) {
  GraphDescription graph{.name = "two ways", .ranks = 4, .switches = 4};
  for (const auto& [a, b] : {std::pair{0, 4}, {1, 4}, {4, 5}, {4, 6}, {5, 7}, {6, 7}, {7, 2}, {7, 3}})
    add_cable(graph, a, b);
  const TopologyPtr network = graph_topology(graph);
  for (const Switching switching : {Switching::alpha_beta, Switching::store_and_forward, Switching::cut_through}) {
    const Machine on{.switching = switching, .ts = 1e-6, .tw = 1e-9};
    const double alone = messages_on(*network, {{0, 2}}, 1000000, on).seconds;
    for (const Engine engine : {Engine::rounds, Engine::flows}) {
      SimulationOptions options{.engine = engine};
      EXPECT_GT(messages_on(*network, {{0, 2}, {1, 3}}, 1000000, on, options).seconds, alone * 1.2);
      options.routing = Routing::minimal_adaptive;
      EXPECT_NEAR(messages_on(*network, {{0, 2}, {1, 3}}, 1000000, on, options).seconds, alone, 1e-15);
    }
  }
}

TEST(Links, SideBySideAreOneWithTheLanesOfAll) {
  GraphDescription graph{.name = "two cables", .ranks = 4, .switches = 2};
  for (const auto& [a, b] : {std::pair{0, 4}, {1, 4}, {5, 2}, {5, 3}, {4, 5}, {5, 4}}) add_cable(graph, a, b);
  const TopologyPtr network = graph_topology(graph);
  EXPECT_EQ(network->links(), 10);
  const Machine on{.ts = 0, .tw = 1e-9};
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    EXPECT_NEAR(messages_on(*network, {{0, 2}, {1, 3}}, 1000, on, {.engine = engine}).seconds, 1e-6, 1e-18);
  }
  graph.links.push_back({4, 5, {.tw = 2e-9}});
  EXPECT_THROW(graph_topology(graph), Error);
}

TEST(Links, TheFirstOnesStartupTimeIsTheMessages) {
  GraphDescription graph{.name = "late", .ranks = 2, .switches = 1};
  add_cable(graph, 0, 2, {.ts = 1e-6});
  add_cable(graph, 2, 1, {.ts = 5e-6});
  const TopologyPtr network = graph_topology(graph);
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    EXPECT_NEAR(messages_on(*network, {{0, 1}}, 1, machine, {.engine = engine}).seconds, 1.001e-6, 1e-18);
    EXPECT_NEAR(messages_on(*network, {{1, 0}}, 1, machine, {.engine = engine}).seconds, 5.001e-6, 1e-18);
  }
}

TEST(Packets, AreNoLargerThanTheMessage) {
  const TopologyPtr line = grid_topology(Shape{4}, false);
  for (const std::int64_t bytes : {0, 1, 7, 999, 1000}) {
    const auto on = [&](std::int64_t packet) {
      return Machine{.switching = Switching::store_and_forward, .ts = 1e-6, .tw = 1e-9, .packet = packet};
    };
    for (const Engine engine : {Engine::rounds, Engine::flows}) {
      const auto time = [&](std::int64_t packet) {
        return messages_on(*line, {{0, 3}}, bytes, on(packet), {.engine = engine}).seconds;
      };
      for (const std::int64_t packet : {1000, 1 << 22}) EXPECT_NEAR(time(packet), time(0), 1e-18);
    }
  }
}

TEST(Ports, MessagesOfAPairShareItsLink) {
  const Record twice = [](Script& me, const Problem& problem) {
    const Slice half{me.rank() == 0 ? Buffer::input : Buffer::output, 0, problem.count / 2};
    const Slice rest{half.buffer, half.count, half.count};
    for (const Slice& slice : {half, rest}) {
      if (me.rank() == 0) me.send(slice, 1);
      if (me.rank() == 1) me.receive(slice, 0);
    }
  };
  const Problem problem{.collective = Collective::shift, .ranks = 2, .count = 2000};
  Machine on = machine;
  on.ports = Ports::multiple;
  for (const char* words : {"full:2", "ring:2", "hypercube:1"}) {
    const TopologyPtr network = topology_named(words);
    for (const Engine engine : {Engine::rounds, Engine::flows}) {
      Workload workload(twice, problem, 1);
      const Simulation result = simulate(workload, *network, on, {.engine = engine, .timeline = true});
      EXPECT_NEAR(result.seconds, on.ts + 2000 * on.tw, 1e-15) << words;
      EXPECT_EQ(result.most_shared, 2) << words;
      ASSERT_EQ(result.loads.size(), 1u);
      EXPECT_EQ(result.loads[0].bytes, 2000);
    }
  }
}

TEST(Ports, ServeFirstWhatWasReadyFirst) {
  // All but rank 0 begin with one another; what they have for it waits until it comes, and those pairs that have waited
  // go first.
  const Problem problem{.collective = Collective::barrier, .ranks = 5, .count = 0};
  const Algorithm& flat = algorithms::fitting(problem, "flat");
  SimulationOptions options{.timeline = true};
  options.skew.resize(5);
  options.skew[0].start = 1e-6;
  const Simulation result = simulated(flat, problem, *full_topology(5), {.ts = 1e-6, .tw = 1e-9}, options);
  EXPECT_NEAR(result.seconds, 7e-6, 1e-18);
  // No message begins while one that comes before it, by when it was ready, its sender and the order of its sends,
  // waits with both of its ports free.
  const auto order = [](const TimelineMessage& m) {
    return std::tuple(std::max(m.send_posted, m.receive_posted), m.from, (m.to - m.from + 5) % 5);
  };
  for (const TimelineMessage& m : result.timeline) {
    for (const TimelineMessage& other : result.timeline) {
      const bool waits = std::get<0>(order(other)) <= m.begin && other.begin > m.begin;
      if (!waits || order(other) > order(m)) continue;
      const bool busy = std::any_of(result.timeline.begin(), result.timeline.end(), [&](const TimelineMessage& b) {
        const bool chosen_before = b.begin < m.begin || (b.begin == m.begin && order(b) < order(other));
        return (b.from == other.from || b.to == other.to) && chosen_before && b.end > m.begin;
      });
      EXPECT_TRUE(busy) << other.from << " -> " << other.to << " waited for " << m.from << " -> " << m.to;
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

TEST(FairShares, NoFlowCouldHaveMoreWithoutTakingItFromOneThatHasNoMore) {
  const unsigned seed = 4711;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t links = 2 + random() % 8;
    std::vector<double> seconds_per_byte(links);
    for (double& s : seconds_per_byte) s = 1e-9 * static_cast<double>(random() % 5);  // 0: shared by nobody
    FairShares shares([&](LinkId link) { return seconds_per_byte[static_cast<std::size_t>(link)]; });
    shares.cover(static_cast<LinkId>(links));
    std::vector<std::vector<LinkId>> paths;
    std::vector<bool> present;
    std::vector<std::int64_t> carried(links, 0);
    std::vector<double> rates;  // as they were told
    std::vector<FairShares::Flow> changed;
    const auto leave = [&](std::size_t flow) {
      if (present[flow]) shares.leave(static_cast<FairShares::Flow>(flow));
      present[flow] = false;
    };
    for (int move = 0; move < 30; ++move) {
      if (!paths.empty() && random() % 3 == 0) {
        leave(random() % paths.size());
      } else if (random() % 8 == 0) {
        for (std::size_t f = 0; f < paths.size(); ++f) leave(f);
      } else {
        std::vector<LinkId> path;
        bool takes_time = false;
        for (std::size_t l = 0; l < links; ++l) {
          if (random() % 3 != 0) continue;
          path.push_back(static_cast<LinkId>(l));
          takes_time = takes_time || seconds_per_byte[l] > 0;
          carried[l] += move;
        }
        paths.push_back(path);
        present.push_back(shares.join(static_cast<FairShares::Flow>(paths.size() - 1), paths.back(), move));
        ASSERT_EQ(present.back(), takes_time);
      }
      for (std::size_t l = 0; l < links; ++l) ASSERT_EQ(shares.carried(static_cast<LinkId>(l)), carried[l]);
      if (random() % 2 == 0) continue;  // several at once
      changed.clear();
      shares.update(changed);
      rates.resize(paths.size(), 0.0);
      for (const FairShares::Flow f : changed) rates[f] = static_cast<double>(shares.rate(f));

      std::vector<double> used(links, 0.0);
      std::vector<double> most(links, 0.0);
      for (std::size_t f = 0; f < paths.size(); ++f) {
        if (!present[f]) continue;
        const double rate = static_cast<double>(shares.rate(static_cast<FairShares::Flow>(f)));
        for (const LinkId l : paths[f]) {
          used[static_cast<std::size_t>(l)] += rate;
          most[static_cast<std::size_t>(l)] = std::max(most[static_cast<std::size_t>(l)], rate);
        }
      }
      for (std::size_t l = 0; l < links; ++l)
        ASSERT_LE(used[l] * seconds_per_byte[l], 1 + precision) << "link " << l << " carries too much";
      for (std::size_t f = 0; f < paths.size(); ++f) {
        if (!present[f]) continue;
        const double rate = static_cast<double>(shares.rate(static_cast<FairShares::Flow>(f)));
        ASSERT_EQ(rate, rates[f]) << "flow " << f << " was not told of its rate";
        ASSERT_NEAR(static_cast<double>(shares.time_for(static_cast<FairShares::Flow>(f), 6)) * rate, 6, precision);
        const bool at_its_limit = std::any_of(paths[f].begin(), paths[f].end(), [&](LinkId l) {
          const auto k = static_cast<std::size_t>(l);
          return used[k] * seconds_per_byte[k] > 1 - precision && rate > most[k] * (1 - precision);
        });
        ASSERT_TRUE(at_its_limit) << "flow " << f << " could have more";
      }
    }
  }
}

}  // namespace
}  // namespace tutti
