/// @file
/// The lower bound of what traffic takes is below each simulated time, and where one link is the bottleneck, equal.

#include "simulate/traffic_bound.hpp"

#include <gtest/gtest.h>

#include <span>

#include "algorithms/catalogue.hpp"
#include "topology/formats/named.hpp"
#include "unit/simulate/simulated.hpp"

namespace tutti {
namespace {

constexpr Machine bare{.ts = 0, .tw = 1e-9};

TEST(TrafficBound, IsNoMoreThanAnyAlgorithmTakes) {
  for (const char* const network : {"linear:5", "ring:6", "torus:2x3", "hypercube:3", "fat-tree:2x2", "rails:2x2"}) {
    const TopologyPtr topology = topology_named(network);
    for_each_fitting(topology->ranks(), [&](const Algorithm& algorithm, const Problem& problem) {
      Workload workload(algorithm, problem, 1);
      for (const Switching switching : {Switching::alpha_beta, Switching::store_and_forward, Switching::cut_through}) {
        for (const Routing routing : {Routing::own, Routing::ecmp, Routing::minimal_adaptive}) {
          const Machine on{.switching = switching, .ts = 0, .tw = 1e-9};
          const double least = least_seconds_of_traffic(workload, *topology, on, routing);
          const double seconds = simulate(workload, *topology, on, {.routing = routing}).seconds;
          workload.forget_meetings();
          EXPECT_LE(least, seconds * (1 + precision)) << network << ", " << name_of(routing);
        }
      }
    });
  }
}

TEST(TrafficBound, IsThatOfMessagesRecordedAlone) {
  for (const char* const network : {"ring:7", "torus:3x4", "hypercube:4"}) {
    const TopologyPtr topology = topology_named(network);
    for_each_fitting(topology->ranks(), [&](const Algorithm& algorithm, const Problem& problem) {
      const Workload whole(algorithm, problem, 1);
      const Workload messages(algorithm, problem, 1, {}, Detail::messages);
      EXPECT_EQ(messages.messages(), whole.messages()) << network;
      EXPECT_EQ(messages.bytes(), whole.bytes()) << network;
      EXPECT_NEAR(least_seconds_of_traffic(messages, *topology, bare), least_seconds_of_traffic(whole, *topology, bare),
                  precision * least_seconds_of_traffic(whole, *topology, bare))
          << network;
    });
  }
}

TEST(TrafficBound, IsTheTimeOfTheFullestLink) {
  const TopologyPtr line = topology_named("linear:8");
  const Workload workload = workload_of(*line, {{0, 5}, {1, 6}, {2, 7}}, 1000);
  EXPECT_NEAR(least_seconds_of_traffic(workload, *line, bare), 3 * 1000 * bare.tw, 1e-15);
}

TEST(TrafficBound, IsTheShareOfAllLinksWhereWaysAreOpen) {
  const TopologyPtr ring = topology_named("ring:8");
  const Workload workload = workload_of(*ring, {{0, 4}, {1, 2}}, 1000);
  EXPECT_NEAR(least_seconds_of_traffic(workload, *ring, bare, Routing::ecmp), 5 * 1000 * bare.tw / 16, 1e-15);
  EXPECT_EQ(least_seconds_of_traffic(workload, *ring, bare, Routing::valiant), 0);
}

TEST(TrafficBound, GivesASimulationUpThatIsBound) {
  const TopologyPtr line = topology_named("linear:8");
  Workload workload = workload_of(*line, {{0, 5}, {1, 6}, {2, 7}}, 1000);
  EXPECT_FALSE(simulate(workload, *line, bare, {.until = 2.9e-6}).is_whole);
  workload.forget_meetings();
  EXPECT_TRUE(simulate(workload, *line, bare, {.until = 3.0e-6}).is_whole);
}

// Ranks added until the traffic so far is too long; all of them where it never is.
int ranks_added(const Choice& choice, const Problem& problem, const Topology& topology, double until,
                std::int64_t messages = 0) {
  TrafficSoFar traffic(topology, bare, {.until = until}, messages);
  return Workload(choice, problem, 1, {}, Detail::messages,
                  [&](int rank, std::span<const Move> moves) { return traffic.add(rank, moves); })
      .ranks();
}

TEST(TrafficBound, IsReachedByTheFirstRanks) {
  const TopologyPtr ring = topology_named("ring:8");
  for_each_fitting(8, [&](const Algorithm& algorithm, const Problem& problem) {
    const Workload whole(algorithm, problem, 1);
    const double evenly = least_seconds_of_traffic(whole, *ring, bare, Routing::ecmp);
    if (evenly == 0) return;
    EXPECT_EQ(ranks_added(algorithm, problem, *ring, evenly), 8) << algorithm.name;
    EXPECT_LT(ranks_added(algorithm, problem, *ring, 0), 8) << algorithm.name;
    EXPECT_LE(ranks_added(algorithm, problem, *ring, evenly / 4), ranks_added(algorithm, problem, *ring, evenly / 2));
  });
}

TEST(TrafficBound, IsNotLookedAtWhereMessagesAreTooMany) {
  const TopologyPtr ring = topology_named("ring:8");
  const Problem problem{.collective = Collective::all_gather, .ranks = 8, .count = 8};
  const Algorithm& algorithm = algorithms::fitting(problem, "ring");
  EXPECT_EQ(ranks_added(algorithm, problem, *ring, 0, std::int64_t{1} << 21), 1);
  EXPECT_EQ(ranks_added(algorithm, problem, *ring, 0, (std::int64_t{1} << 21) + 1), 8);
}

}  // namespace
}  // namespace tutti
