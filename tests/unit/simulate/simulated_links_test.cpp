/// @file
/// Messages that meet in the simulated network: on links, in ports, as packets.

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "topology/formats/named.hpp"
#include "topology/graph.hpp"
#include "tutti/error.hpp"
#include "unit/simulate/simulated.hpp"

namespace tutti {
namespace {

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
  const TopologyPtr mesh = topology_named("mesh:3x3");
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

// A message alone, by both engines, with every switching: a start for each rank that passes it on, and all else alike.
TEST(Forwarding, CostsAStartForEachRankOnTheWay) {
  for (const char* words : {"dgx-1v", "rails:2x3", "ring:7", "torus:3x4", "tree:8", "nvswitch:2x3", "nvlink:4"}) {
    const TopologyPtr network = topology_named(words);
    for (const Switching switching : {Switching::alpha_beta, Switching::store_and_forward, Switching::cut_through}) {
      const auto time = [&](int from, int to, Engine engine, std::optional<Forwarding> forwarding) {
        Machine on = machine;
        on.switching = switching;
        on.forwarding = forwarding;
        return messages_on(*network, {{from, to}}, 1000, on, {.engine = engine}).seconds;
      };
      for (int to = 1; to < network->ranks(); ++to) {
        int passed = 0;
        for (const LinkId link : route_of(*network, 0, to)) passed += network->link(link).to < network->ranks() ? 1 : 0;
        for (const Engine engine : {Engine::rounds, Engine::flows}) {
          const double hardware = time(0, to, engine, Forwarding::hardware);
          const double ranks = time(0, to, engine, Forwarding::ranks);
          EXPECT_NEAR(ranks, hardware + (passed - 1) * machine.ts, 1e-15) << words << ", to " << to;
          EXPECT_EQ(time(0, to, engine, std::nullopt), network->forwarding() == Forwarding::ranks ? ranks : hardware);
        }
      }
    }
  }
}

// With all ports the bytes need m tw (p - 1)/(n p) on a torus of n dimensions, of which swings take more where several
// messages cross a link.
TEST(SwingMultiPort, IsNearTheBoundOnTori) {
  const Algorithm* swings = algorithms::find(Collective::all_reduce, "swing-multi-port");
  ASSERT_NE(swings, nullptr);
  struct Row {
    const char* words;
    Shape grid;
    double factor;
  };
  for (const Row& row : {Row{"ring:16", {16}, 1.55}, Row{"torus:4x4", {4, 4}, 1.15}, Row{"torus:8x8", {8, 8}, 1.2},
                         Row{"torus:4x4x4", {4, 4, 4}, 1.1}, Row{"torus:16x16", {16, 16}, 1.25}}) {
    const int p = row.grid.size();
    const Problem problem{.collective = Collective::all_reduce, .ranks = p, .count = std::int64_t{96} * p};
    Workload workload(Choice{*swings, {.grid = row.grid}}, problem, 1);
    const Machine all{.ports = Ports::multiple, .ts = 0, .tw = 1e-9};
    const double seconds = simulate(workload, *topology_named(row.words), all).seconds;
    const double bound = 96.0 * (p - 1) * all.tw / row.grid.dimensions();
    EXPECT_GE(seconds, bound * (1 - 1e-9)) << row.words;
    EXPECT_LE(seconds, bound * row.factor) << row.words;
  }
}

}  // namespace
}  // namespace tutti
