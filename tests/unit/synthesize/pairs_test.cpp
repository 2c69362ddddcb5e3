/// @file
/// Synthesized all-to-alls, scatters and gathers: every schedule proved, and its time against the flow's.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "cost/bounds/lower_bound.hpp"
#include "synthesize/pairs/linear_program.hpp"
#include "synthesize/pairs/pairs.hpp"
#include "topology/formats/named.hpp"
#include "topology/graph.hpp"
#include "tutti/error.hpp"
#include "unit/synthesize/networks.hpp"
#include "verify/verify.hpp"

namespace tutti::synthesize {
namespace {

TEST(LinearProgram, FindsTheLeast) {
  // Least x + 2 y with x + y >= 3, x <= 2 and y <= 5.
  LinearProgram program;
  const int sum = program.add_row(3, 1e30);
  const int first = program.add_row(-1e30, 2);
  const int second = program.add_row(-1e30, 5);
  program.add_quantity(1, std::vector<std::pair<int, double>>{{sum, 1}, {first, 1}});
  program.add_quantity(2, std::vector<std::pair<int, double>>{{sum, 1}, {second, 1}});
  const std::vector<double> found = program.solve();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], 2, 1e-9);
  EXPECT_NEAR(found[1], 1, 1e-9);
}

TEST(LinearProgram, SaysWhereNothingKeepsTheRows) {
  LinearProgram program;
  const int low = program.add_row(-1e30, 1);
  const int high = program.add_row(2, 1e30);
  program.add_quantity(1, std::vector<std::pair<int, double>>{{low, 1}, {high, 1}});
  EXPECT_THROW(program.solve(), Error);
}

Problem problem_on(const Topology& network, Collective collective, std::int64_t count) {
  return {.collective = collective,
          .ranks = network.ranks(),
          .count = count,
          .root = has_root(collective) ? network.ranks() - 1 : 0};
}

PairSynthesis expect_proved(const Topology& network, Collective collective, double factor, double injection = 0) {
  constexpr std::int64_t count = 4800;
  const std::int64_t chunks = network.ranks() <= 16 ? 60 : 12;
  const std::string what =
      fmt::format("{} on {}, {} s a byte injected", name_of(collective), network.name(), injection);
  const Problem problem = problem_on(network, collective, count);
  PairSynthesis made = synthesize_pairs(
      {.collective = collective, .root = problem.root, .injection = injection, .bytes = count}, network, many_ports());
  const Schedule schedule = schedule_over(made, problem, made.in_chunks ? chunks : 1);
  const Proof proof = verify(schedule);
  EXPECT_TRUE(proof.proved()) << what << ": " << (proof.failure ? describe(*proof.failure) : "");
  const double least =
      std::max(made.optimum * count, lower_bound(problem, 1, network, many_ports(), injection).seconds);
  const double seconds = simulated(schedule, network, Routing::own, injection);
  EXPECT_GE(seconds, least * (1 - 1e-6)) << what;
  // Messages take the network's own routes, which may be narrower than what its links would allow.
  EXPECT_LE(seconds, std::max(least, made.achieved * count) * factor) << what;
  return made;
}

bool has_links_alone(const Topology& network) { return network.nodes() == network.ranks(); }

struct PairsRow {
  const char* network;
  double factor;                 // in which the schedule is simulated
  double most_achieved = 1.001;  // factor of the optimum
};

constexpr PairsRow pairs_rows[] = {
    {"linear:2", 1.02},        {"ring:5", 1.1},      {"linear:4", 1.1},     {"mesh:3x3", 1.15},
    {"torus:3x4", 1.15},       {"hypercube:3", 1.1}, {"full:6", 1.02},      {"star:6", 1.02},
    {"dgx-1v", 1.1},           {"nvlink:4", 1.02},   {"nvswitch:2x4", 1.1}, {"fat-tree:2x3x2", 1.1},
    {"dragonfly:1x2x1", 1.35}, {"clos:2x3x2", 1.2},  {"rails:2x3", 1.15},   {"tree:8", 1.05}};

TEST(Pairs, AreProvedAndNearTheOptimum) {
  for (const PairsRow& row : pairs_rows) {
    const TopologyPtr network = topology_named(row.network);
    for (const Collective collective : pair_collectives()) {
      const PairSynthesis made = expect_proved(*network, collective, row.factor);
      EXPECT_LE(made.achieved, made.optimum * row.most_achieved) << row.network << ", " << name_of(collective);
    }
  }
}

TEST(Pairs, HaveTheKnownOptimum) {
  const auto optimum_on = [](const char* words, Collective collective) {
    return synthesize_pairs({.collective = collective}, *topology_named(words), many_ports()).optimum / Machine{}.tw;
  };
  EXPECT_NEAR(optimum_on("dgx-1v", Collective::all_to_all), 8.0 / 3, 1e-6);
  EXPECT_NEAR(optimum_on("full:6", Collective::all_to_all), 1, 1e-6);
  EXPECT_NEAR(optimum_on("ring:8", Collective::all_to_all), 8, 1e-6);
  EXPECT_NEAR(optimum_on("star:6", Collective::all_to_all), 5, 1e-6);
  EXPECT_NEAR(optimum_on("dgx-1v", Collective::scatter), 7.0 / 6, 1e-6);
  EXPECT_NEAR(optimum_on("ring:8", Collective::gather), 3.5, 1e-6);
}

TEST(Pairs, TakeNetworksThatNoFamilyNames) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 12; ++trial) {
    const TopologyPtr network = random_cables(random, below(random, 3));
    for (const Collective collective : pair_collectives()) {
      const PairSynthesis made = expect_proved(*network, collective, 1.2);
      EXPECT_GE(made.achieved, made.optimum * (1 - 1e-6)) << "trial " << trial << ", seed " << seed;
      if (has_links_alone(*network)) {
        EXPECT_LE(made.achieved, made.optimum * 1.001) << "trial " << trial << ", seed " << seed;
      }
    }
  }
  GraphDescription graph{.name = "one way", .ranks = 5};
  for (int rank = 0; rank < 5; ++rank) {
    graph.links.push_back({rank, (rank + 1) % 5, {.lanes = 3}});
    graph.links.push_back({(rank + 1) % 5, rank, {.lanes = 1}});
  }
  for (const Collective collective : pair_collectives()) {
    const TopologyPtr network = graph_topology(graph);
    expect_proved(*network, collective, 1.15);
    expect_proved(*network, collective, 1.15, 1e-9);
  }
}

// More ranks than the programs are solved for.
TEST(Pairs, AreColouredForManyRanks) {
  for (const char* words : {"torus:5x5", "full:20", "star:18", "nvswitch:3x6", "rails:3x6", "mesh:4x5"}) {
    const TopologyPtr network = topology_named(words);
    expect_proved(*network, Collective::all_to_all, 1.35);
  }
  const TopologyPtr network = topology_named("torus:9x9");
  for (const Collective collective : {Collective::scatter, Collective::gather})
    expect_proved(*network, collective, 1.35);
}

// All ranks send in all rounds, each to one rank: as many rounds as there are others, and no link is shared.
TEST(Pairs, ShareNoLinkInARound) {
  const PairSynthesis made =
      synthesize_pairs({.collective = Collective::all_to_all}, *topology_named("star:18"), many_ports());
  EXPECT_EQ(made.rounds(), 17);
  std::set<std::pair<int, int>> sent;
  std::set<std::pair<int, int>> got;
  for (const Share& share : made.shares) {
    ASSERT_EQ(share.rounds.size(), 1U);
    EXPECT_TRUE(sent.emplace(share.rounds.front(), share.from).second) << "rank " << share.from << " sends twice";
    EXPECT_TRUE(got.emplace(share.rounds.front(), share.to).second) << "rank " << share.to << " receives twice";
  }
}

TEST(Pairs, AreProvedForAnyCount) {
  for (const char* words : {"dgx-1v", "torus:2x3", "full:17"}) {
    const TopologyPtr network = topology_named(words);
    for (const Collective collective : pair_collectives()) {
      const Problem asked = problem_on(*network, collective, 0);
      const SynthesisRequest wish{.collective = collective, .root = asked.root};
      const PairSynthesis made = synthesize_pairs(wish, *network, many_ports());
      for (const std::int64_t count : {0, 1, 5, 31}) {
        const Problem problem = problem_on(*network, collective, count);
        for (const std::int64_t chunks : {1, 3, 64}) {
          if (chunks > 1 && !made.in_chunks) continue;
          EXPECT_TRUE(verify(schedule_over(made, problem, chunks)).proved()) << describe(problem) << chunks;
        }
        EXPECT_TRUE(verify(schedule_over(direct_pairs(wish, *network, many_ports()), problem, 1)).proved());
      }
    }
  }
}

// A message passes no rank where ranks forward.
TEST(Pairs, StopAtRanksThatForward) {
  const TopologyPtr network = topology_named("dgx-1v");
  const PairSynthesis made = synthesize_pairs({.collective = Collective::all_to_all}, *network, many_ports());
  for (const Share& share : made.shares) {
    for (std::size_t k = 1; k < share.way.size(); ++k)
      EXPECT_EQ(network->distance(share.way[k - 1], share.way[k]), 1) << share.from << " to " << share.to;
  }
}

TEST(Pairs, CoverEveryBlockOnce) {
  for (const char* words : {"dgx-1v", "torus:4x5"}) {
    const TopologyPtr network = topology_named(words);
    const PairSynthesis made = synthesize_pairs({.collective = Collective::all_to_all}, *network, many_ports());
    std::map<std::pair<int, int>, double> ends;
    for (const Share& share : made.shares) {
      double& end = ends[{share.from, share.to}];
      EXPECT_EQ(share.begin, end);
      EXPECT_LT(share.begin, share.end);
      end = share.end;
      EXPECT_EQ(share.way.front(), share.from);
      EXPECT_EQ(share.way.back(), share.to);
      EXPECT_EQ(share.rounds.size() + 1, share.way.size());
      EXPECT_TRUE(std::is_sorted(share.rounds.begin(), share.rounds.end(), std::less_equal<>()) ||
                  share.rounds.size() == 1);
    }
    EXPECT_EQ(ends.size(), static_cast<std::size_t>(network->ranks() * (network->ranks() - 1)));
    for (const auto& [pair, end] : ends) EXPECT_EQ(end, 1);
  }
}

TEST(Pairs, OneRankCopies) {
  for (const Collective collective : pair_collectives()) {
    const PairSynthesis made = synthesize_pairs({.collective = collective}, *topology_named("full:1"), many_ports());
    EXPECT_TRUE(verify(schedule_over(made, {.collective = collective, .ranks = 1, .count = 5}, 1)).proved());
  }
}

TEST(Pairs, RefuseWhatTheyCannotMake) {
  const TopologyPtr network = topology_named("ring:4");
  EXPECT_THROW(synthesize_pairs({.collective = Collective::broadcast}, *network, many_ports()), Error);
  EXPECT_THROW(synthesize_pairs({.collective = Collective::all_to_all}, *topology_named("ring:300"), many_ports()),
               Error);
  const PairSynthesis made = synthesize_pairs({.collective = Collective::all_to_all}, *network, many_ports());
  Problem uneven{
      .collective = Collective::all_to_all, .ranks = 4, .count = 0, .counts = std::vector<std::int64_t>(16, 2)};
  EXPECT_THROW(schedule_over(made, uneven, 1), Error);
}

}  // namespace
}  // namespace tutti::synthesize
