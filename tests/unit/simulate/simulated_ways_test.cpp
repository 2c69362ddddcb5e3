/// @file
/// Laws of what stands between messages and their shortest ways: hashed and non-minimal routes, traffic in the
/// background, and limits of ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "simulate/traffic_on_links.hpp"
#include "support/sanitizers.hpp"
#include "topology/formats/named.hpp"
#include "topology/metrics.hpp"
#include "tutti/error.hpp"
#include "unit/simulate/simulated.hpp"

namespace tutti {
namespace {

constexpr const char* several_ways[] = {"clos:4x4x4",  "clos:2x2x3x2x2", "rails:3x4",       "torus:3x4",
                                        "hypercube:4", "fat-tree:2x3x2", "dragonfly:2x3x1", "dgx-1v"};

void expect_path(const Topology& network, int from, int to, const std::vector<LinkId>& path) {
  int at = from;
  for (const LinkId id : path) {
    ASSERT_EQ(network.link(id).from, at) << network.name() << ", " << from << " to " << to;
    at = network.link(id).to;
  }
  ASSERT_EQ(at, to) << network.name();
}

TEST(Ways, LeadToTheirEndsAndHashedOnesAreTheShortest) {
  for (const char* words : several_ways) {
    const TopologyPtr network = topology_named(words);
    const int farthest = diameter(*network);
    for (const unsigned seed : {0u, 1u, 77u}) {
      HashedWays ways(*network, seed);
      for (int from = 0; from < network->ranks(); ++from) {
        for (int to = 0; to < network->ranks(); ++to) {
          std::vector<LinkId> path;
          ways.append(Routing::ecmp, from, to, 0, path);
          expect_path(*network, from, to, path);
          ASSERT_EQ(static_cast<int>(path.size()), network->distance(from, to));
          path.clear();
          ways.append(Routing::valiant, from, to, static_cast<std::uint64_t>(from * 64 + to), path);
          expect_path(*network, from, to, path);
          ASSERT_LE(static_cast<int>(path.size()), 2 * farthest);
        }
      }
    }
  }
}

// A detour leads over a rank that any may be: to it, and on from it, as far as ranks are from one another, themselves
// among them. Where ranks hang on switches, it turns at the switch, two links earlier.
TEST(Ways, OfValiantAreTwiceAsLongInTheMean) {
  for (const char* words : {"hypercube:4", "torus:5x5", "ring:9", "clos:4x8x4"}) {
    const TopologyPtr network = topology_named(words);
    const double p = network->ranks();
    const double mean = *metrics_of(*network).mean_distance_with_self;
    const double turns = network->nodes() > network->ranks() ? 2 * (p - 2) / p : 0;
    const HashedWays ways(*network, 3);
    std::vector<LinkId> path;
    double pairs = 0;
    double sum = 0;
    for (std::uint64_t message = 0; message < 40; ++message) {
      for (int from = 0; from < p; ++from) {
        for (int to = 0; to < p; ++to, ++pairs) {
          path.clear();
          if (from != to)
            ways.append_detour(from, to, message * 4096 + static_cast<std::uint64_t>(from * 64 + to), path);
          sum += from == to ? 2 * mean - turns : static_cast<double>(path.size());
        }
      }
    }
    EXPECT_NEAR(sum / pairs, 2 * mean - turns, 0.03 * mean) << words;
  }
}

TEST(Ways, OfAPairAreHashedToOneOfAllThatThereAre) {
  const TopologyPtr network = topology_named("clos:4x4x4");
  std::set<LinkId> used;
  for (unsigned seed = 0; seed < 32; ++seed) {
    HashedWays ways(*network, seed);
    std::vector<LinkId> once;
    std::vector<LinkId> again;
    ways.append(Routing::ecmp, 0, 15, 1, once);
    ways.append(Routing::ecmp, 0, 15, 2, again);
    EXPECT_EQ(once, again);
    used.insert(once[1]);
  }
  EXPECT_EQ(used.size(), 4u);
}

std::vector<std::pair<int, int>> shifted(int ranks, int distance) {
  std::vector<std::pair<int, int>> pairs;
  for (int rank = 0; rank < ranks; ++rank) pairs.emplace_back(rank, (rank + distance) % ranks);
  return pairs;
}

// With as many cables up as down, no shift shares a cable: as on the fat tree whose links are as wide as all of them.
TEST(Clos, ShiftsAsAFatTreeUnlessItTapers) {
  const TopologyPtr clos = topology_named("clos:4x4x4");
  const TopologyPtr fat = topology_named("fat-tree:4x2");
  const TopologyPtr tapered = topology_named("clos:4x4x2");
  const TopologyPtr thin = topology_named("fat-tree:4x2x2");
  EXPECT_EQ(topology_named("fat-tree:4x2x1")->name(), fat->name());
  for (const Switching switching : {Switching::alpha_beta, Switching::cut_through}) {
    Machine on = machine;
    on.switching = switching;
    for (int distance = 1; distance < 16; ++distance) {
      const auto time = [&](const Topology& network) {
        return messages_on(network, shifted(16, distance), 4096, on).seconds;
      };
      EXPECT_NEAR(time(*clos), time(*fat), precision * time(*fat)) << distance;
      EXPECT_GE(time(*tapered), time(*clos) * (1 - precision)) << distance;
      // All of a leaf go elsewhere: two on each cable, and as much in the tree.
      if (distance % 4 != 0 || distance == 0) continue;
      EXPECT_NEAR(time(*tapered) - time(*clos), 4096 * on.tw, precision) << distance;
      EXPECT_NEAR(time(*thin) - time(*fat), 4096 * on.tw, precision) << distance;
    }
  }
}

// The worst case of a minimal route: each leaf's ranks send to those of the next group over one cable.
TEST(Detours, SpreadWhatMeetsOnOneCable) {
  const TopologyPtr dragonfly = topology_named("dragonfly:4x4x1");
  const int group = 16;
  const auto pairs = shifted(dragonfly->ranks(), group);
  const std::int64_t bytes = 1 << 20;
  const double minimal = messages_on(*dragonfly, pairs, bytes, machine).seconds;
  for (const Routing routing : {Routing::valiant, Routing::adaptive})
    EXPECT_LT(messages_on(*dragonfly, pairs, bytes, machine, {.routing = routing}).seconds, minimal * 0.9);
  // Alone, a message goes the shortest way.
  EXPECT_EQ(messages_on(*dragonfly, {{0, group}}, bytes, machine, {.routing = Routing::adaptive}).seconds,
            messages_on(*dragonfly, {{0, group}}, bytes, machine).seconds);
}

TEST(Detours, AreNoHelpWhereEachPairHasALink) {
  const TopologyPtr full = topology_named("full:4");
  EXPECT_THROW(messages_on(*full, {{0, 1}}, 8, machine, {.routing = Routing::adaptive}), Error);
  EXPECT_GT(
      messages_on(*full, shifted(4, 1), 4096, machine, {.routing = Routing::valiant, .timeline = true}).loads.size(),
      4u);
}

// k of N endless messages between two ranks go one way and N - k the other, and each takes a share.
TEST(Background, TakesItsShareOfEveryLink) {
  const TopologyPtr line = topology_named("linear:2");
  const Machine bare{.ts = 0, .tw = 1e-9};
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    for (const int messages : {0, 1, 2, 5, 12}) {
      for (const unsigned seed : {0u, 9u}) {
        const SimulationOptions options{.engine = engine, .background = {messages, seed}};
        const double there = messages_on(*line, {{0, 1}}, 1000, bare, options).seconds;
        const double back = messages_on(*line, {{1, 0}}, 1000, bare, options).seconds;
        EXPECT_NEAR(there + back, (2 + messages) * 1e-6, 1e-15);
      }
    }
  }
  EXPECT_THROW(messages_on(*topology_named("ring:1"), {}, 8, machine, {.background = {1, 0}}), Error);
}

TEST(Background, CarriesNothingOfItsOwn) {
  const TopologyPtr network = topology_named("torus:3x3");
  const Simulation result = messages_on(*network, {{0, 4}}, 1000, machine, {.background = {20, 1}, .timeline = true});
  std::int64_t carried = 0;
  for (const LinkLoad& load : result.loads) carried += load.bytes;
  EXPECT_EQ(carried, 2000);
  EXPECT_GT(result.most_shared, 1);
}

TEST(Injection, IsSharedByAllThatARankSends) {
  for (const Engine engine : {Engine::rounds, Engine::flows}) {
    for (const Switching switching : {Switching::alpha_beta, Switching::store_and_forward}) {
      for (const int others : {1, 2, 5}) {
        const Machine on{.switching = switching, .ports = Ports::multiple, .ts = 1e-6, .tw = 1e-9};
        const TopologyPtr full = full_topology(others + 1);
        std::vector<std::pair<int, int>> out;
        std::vector<std::pair<int, int>> in;
        for (int other = 1; other <= others; ++other) {
          out.emplace_back(0, other);
          in.emplace_back(other, 0);
        }
        for (const double limit : {0.25e-9, 1e-9, 3e-9}) {
          const SimulationOptions options{.engine = engine, .injection = limit};
          const double expected = 1e-6 + 1000 * std::max(1e-9, others * limit);
          EXPECT_NEAR(messages_on(*full, out, 1000, on, options).seconds, expected, 1e-15);
          EXPECT_NEAR(messages_on(*full, in, 1000, on, options).seconds, expected, 1e-15);
        }
      }
    }
  }
}

// The limit is another than that of links: it is never counted among what links carry, and no more than a link is.
TEST(Injection, ChangesNothingWhereLinksAreSlower) {
  for (const char* words : {"ring:6", "tree:8", "clos:2x3x2"}) {
    const TopologyPtr network = topology_named(words);
    for_each_fitting(network->ranks(), [&](const Algorithm& algorithm, const Problem& problem) {
      for (const Engine engine : {Engine::rounds, Engine::flows}) {
        const Simulation without =
            simulated(algorithm, problem, *network, machine, {.engine = engine, .timeline = true});
        const Simulation with = simulated(algorithm, problem, *network, machine,
                                          {.engine = engine, .injection = machine.tw / 64, .timeline = true});
        EXPECT_NEAR(with.seconds, without.seconds, precision * without.seconds);
        ASSERT_EQ(with.loads.size(), without.loads.size());
        EXPECT_EQ(with.busiest.has_value(), without.busiest.has_value());
      }
    });
  }
}

TEST(Ways, DoNotDependOnTheOrderOfSimultaneousEvents) {
  test::Sample sample;
  for (const char* words : {"clos:2x4x2", "rails:2x4", "torus:2x4"}) {
    const TopologyPtr network = topology_named(words);
    for_each_fitting(network->ranks(), [&](const Algorithm& algorithm, const Problem& problem) {
      for (const Routing routing : all_routings()) {
        if (!sample.takes_next()) continue;
        for (const auto& eager : {std::optional<std::int64_t>{}, std::optional<std::int64_t>{1 << 20}}) {
          SimulationOptions options{.routing = routing, .background = {3, 1}, .injection = machine.tw, .eager = eager};
          const Simulation once = simulated(algorithm, problem, *network, machine, options);
          options.shuffle = 11;
          const Simulation other = simulated(algorithm, problem, *network, machine, options);
          ASSERT_NEAR(once.seconds, other.seconds, precision * once.seconds) << words << ", " << name_of(routing);
        }
      }
    });
  }
}

// Neighbours by one bit of their numbers have a way of their own in every step, within nodes and along rails.
TEST(Rails, CarryRecursiveDoublingWithoutCongestion) {
  const TopologyPtr rails = topology_named("rails:128x8");
  const Algorithm* doubling = algorithms::find(Collective::all_reduce, "recursive-doubling");
  ASSERT_NE(doubling, nullptr);
  const Machine on{.ts = 1e-6, .tw = *rails->usual_tw()};
  const Problem problem{.collective = Collective::all_reduce, .ranks = rails->ranks(), .count = 18000};
  const Simulation result = simulated(*doubling, problem, *rails, on);
  EXPECT_EQ(result.most_shared, 1);
  // Three steps over 18 lanes, seven over 2.
  EXPECT_NEAR(result.seconds, 10 * 1e-6 + 18000 * on.tw * (3 / 18.0 + 7 / 2.0), precision * result.seconds);
}

}  // namespace
}  // namespace tutti
