/// @file
/// Schedules synthesized for networks: the narrowest cut against all cuts, every schedule proved, and its time against
/// the optimum.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/sanitizers.hpp"
#include "synthesize/synthesize.hpp"
#include "topology/cuts/integer_flow.hpp"
#include "topology/cuts/max_flow.hpp"
#include "topology/formats/named.hpp"
#include "topology/graph.hpp"
#include "tutti/error.hpp"
#include "unit/synthesize/networks.hpp"
#include "verify/verify.hpp"

namespace tutti::synthesize {
namespace {

// The greatest supply / capacity over all sets of nodes.
double narrowest_of_all(const Capacities& capacities, const Supplies& supplies) {
  double greatest = 0;
  for (unsigned set = 1; set < 1U << static_cast<unsigned>(capacities.nodes()); ++set) {
    std::vector<char> inside;
    for (int node = 0; node < capacities.nodes(); ++node) inside.push_back((set >> static_cast<unsigned>(node)) & 1U);
    if (std::all_of(inside.begin(), inside.begin() + capacities.ranks(), [](char in) { return in != 0; })) continue;
    double supply = 0;
    for (int rank = 0; rank < capacities.ranks(); ++rank) {
      if (inside[static_cast<std::size_t>(rank)])
        supply += static_cast<double>(supplies[static_cast<std::size_t>(rank)]);
    }
    if (supply > 0) greatest = std::max(greatest, supply / static_cast<double>(capacities.out_of(inside)));
  }
  return greatest;
}

TEST(NarrowestCut, IsTheNarrowestOfAll) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 60; ++trial) {
    const TopologyPtr network = random_cables(random, below(random, 4));
    const Capacities capacities = capacities_of(*network, {}).capacities;
    for (const int root : {-1, below(random, network->ranks())}) {
      const Supplies supplies = supplies_of(network->ranks(), root);
      EXPECT_DOUBLE_EQ(ratio_of(narrowest_cut(capacities, supplies)), narrowest_of_all(capacities, supplies))
          << "trial " << trial << ", root " << root << ", seed " << seed;
    }
  }
}

TEST(NarrowestCut, IsKnownOfKnownNetworks) {
  const auto of_all = [](const char* words) {
    const TopologyPtr network = topology_named(words);
    return ratio_of(narrowest_cut(capacities_of(*network, {}).capacities, supplies_of(network->ranks(), -1)));
  };
  EXPECT_DOUBLE_EQ(of_all("ring:6"), 5.0 / 2);
  EXPECT_DOUBLE_EQ(of_all("hypercube:3"), 7.0 / 3);
  EXPECT_DOUBLE_EQ(of_all("torus:3x3"), 8.0 / 4);
  EXPECT_DOUBLE_EQ(of_all("mesh:3x3"), 8.0 / 2);
  EXPECT_DOUBLE_EQ(of_all("star:5"), 4.0);
  EXPECT_DOUBLE_EQ(of_all("dgx-1v"), 7.0 / 6);
}

// Two ways of finding one number: Boost.Graph's, and the flow that grows (topology/cuts/max_flow.hpp).
TEST(IntegerFlow, IsTheFlowThatGrows) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 50; ++trial) {
    const int nodes = 2 + below(random, 9);
    Capacities capacities(nodes, nodes);
    MaxFlow growing(nodes);
    for (int links = below(random, 4 * nodes); links > 0; --links) {
      const int from = below(random, nodes);
      const int to = below(random, nodes);
      const int capacity = below(random, 10);
      if (from == to) continue;
      capacities.at(from, to) += capacity;
      growing.add_link(from, to, capacity, 0);
    }
    growing.make_source(0);
    growing.make_sink(nodes - 1);
    IntegerFlow flow(capacities);
    const std::int64_t greatest = flow.greatest(0, nodes - 1);
    EXPECT_EQ(static_cast<double>(greatest), growing.flow(1e18)) << "trial " << trial << ", seed " << seed;
    const std::vector<char> side = flow.sources_side();
    EXPECT_TRUE(side.front() && !side.back());
    EXPECT_EQ(capacities.out_of(side), greatest);
  }
}

struct Row {
  const char* network;
  double factor;  // factor of the optimum, in which the schedule is simulated on the network itself
};

// Messages take the network's own routes, and no more of a link than the trees mean.
constexpr Row rows[] = {{"ring:5", 1.1},          {"linear:4", 1.1},        {"mesh:3x3", 1.15},
                        {"torus:3x4", 1.15},      {"hypercube:3", 1.1},     {"full:6", 1.05},
                        {"star:6", 1.1},          {"dgx-1v", 1.1},          {"nvlink:4", 1.05},
                        {"nvswitch:2x4", 1.1},    {"tree:8", 1.1},          {"fat-tree:2x3", 1.1},
                        {"fat-tree:2x3x2", 1.1},  {"dragonfly:1x2x1", 1.1}, {"dragonfly:2x2x2", 1.3},
                        {"dragonfly:3x2x3", 1.3}, {"clos:2x3x2", 1.1},      {"rails:2x3", 1.1}};

Synthesis expect_near_optimum(const Topology& network, Collective collective, double factor, int root,
                              double injection = 0) {
  const std::string what =
      fmt::format("{} on {}, root {}, {} s a byte injected", name_of(collective), network.name(), root, injection);
  const Synthesis made =
      synthesize({.collective = collective, .root = root, .injection = injection}, network, many_ports());
  EXPECT_GE(made.achieved, made.optimum * (1 - 1e-9)) << what;
  EXPECT_LE(made.achieved, made.optimum * 1.02) << what;
  constexpr std::int64_t bytes = 7200;
  Problem problem{.collective = collective, .ranks = network.ranks(), .count = bytes, .root = root};
  const Schedule schedule = schedule_over(made.trees, problem, 40);
  const Proof proof = verify(schedule);
  EXPECT_TRUE(proof.proved()) << what << (proof.failure ? describe(*proof.failure) : "");
  const double seconds = simulated(schedule, network, Routing::own, injection);
  EXPECT_GE(seconds, made.optimum * bytes * (1 - 1e-9)) << what;
  EXPECT_LE(seconds, made.optimum * bytes * factor) << what;
  return made;
}

TEST(Synthesized, IsProvedAndNearTheOptimum) {
  test::Sample sample;
  for (const Row& row : rows) {
    const TopologyPtr network = topology_named(row.network);
    for (const Collective collective : collectives()) {
      if (sample.takes_next())
        expect_near_optimum(*network, collective, row.factor, has_root(collective) ? network->ranks() - 1 : 0);
    }
  }
}

// A cable of DGX-1's cube mesh is broken, and one of the network cards of two hosts is slower than the others.
TEST(Synthesized, TakesNetworksThatNoFamilyNames) {
  GraphDescription broken{.name = "broken", .ranks = 8};
  const TopologyPtr whole = topology_named("dgx-1v");
  for (LinkId id = 0; id < whole->links(); ++id) {
    const Link link = whole->link(id);
    if (link.from + link.to != 3 || (link.from != 0 && link.to != 0)) broken.links.push_back(link);
  }
  ASSERT_LT(broken.links.size(), static_cast<std::size_t>(whole->links()));
  expect_near_optimum(*graph_topology(broken), Collective::all_gather, 1.2, 0);
  GraphDescription hosts{.name = "hosts", .ranks = 6, .switches = 3};
  for (int rank = 0; rank < 6; ++rank) add_cable(hosts, rank, 6 + rank / 3, {.lanes = 8});
  add_cable(hosts, 6, 8, {.lanes = 1});
  add_cable(hosts, 7, 8, {.lanes = 2});
  for (const Collective collective : {Collective::all_gather, Collective::all_reduce})
    expect_near_optimum(*graph_topology(hosts), collective, 1.2, 0);
}

struct LimitedRow {
  const char* network;
  Collective collective;
  double injection;
  double factor;    // see above
  double narrowed;  // the optimum, of that of the links alone
};

// Some have trees of the links that keep the limits, too, or send as much by every rank; others have a root, corners or
// hosts that need trees of their own.
constexpr LimitedRow limited_rows[] = {
    {"ring:6", Collective::all_gather, 0.4e-9, 1.1, 1},         {"ring:6", Collective::all_reduce, 1e-9, 1.1, 2},
    {"torus:3x4", Collective::all_gather, 0.4e-9, 1.15, 1.6},   {"torus:3x4", Collective::reduce, 1e-9, 1.2, 4},
    {"dgx-1v", Collective::reduce_scatter, 0.37e-9, 1.1, 2.22}, {"mesh:3x3", Collective::all_gather, 1e-9, 1.15, 2},
    {"mesh:3x3", Collective::broadcast, 0.37e-9, 1.15, 1},      {"nvswitch:2x4", Collective::broadcast, 1e-9, 1.2, 2},
    {"star:6", Collective::all_gather, 3e-9, 1.15, 3}};

TEST(Synthesized, KeepsWhatRanksInject) {
  for (const auto& [words, collective, injection, factor, narrowed] : limited_rows) {
    const TopologyPtr network = topology_named(words);
    const Synthesis limited = expect_near_optimum(*network, collective, factor, 0, injection);
    const Synthesis free = synthesize({.collective = collective}, *network, many_ports());
    EXPECT_DOUBLE_EQ(limited.optimum, narrowed * free.optimum) << words << ", " << name_of(collective);
  }
}

// Links that carry more one way than the other: contributions come in by other trees than results go out.
/// Rounded to few trees they need more of the links, and what is told of them is what they need.
TEST(Synthesized, KeepsToTheTreesThatAreAllowed) {
  for (const char* words : {"full:10", "ring:6", "torus:3x4", "hypercube:4", "fat-tree:4x2"}) {
    const TopologyPtr network = topology_named(words);
    for (const Collective collective : {Collective::broadcast, Collective::all_gather}) {
      for (const std::int64_t most : {1, 2, 3, 5}) {
        const Machine machine{.ports = Ports::multiple};
        const Synthesis made = synthesize({.collective = collective, .most_trees = most}, *network, machine);
        EXPECT_LE(made.trees.down.each, most) << words;
        for (const Synthesis& low : with_low_trees({.collective = collective, .most_trees = most}, *network, machine))
          EXPECT_LE(low.trees.down.each, most) << words;
        EXPECT_LE(made.achieved, made.one_chunk * (1 + 1e-12)) << words << ", " << most << " trees";
        EXPECT_GE(made.achieved, made.optimum * (1 - 1e-12)) << words;
      }
    }
  }
}

TEST(Synthesized, TellsTheDirectionsOfLinksApart) {
  GraphDescription graph{.name = "one way", .ranks = 4};
  for (int rank = 0; rank < 4; ++rank) {
    graph.links.push_back({rank, (rank + 1) % 4, {.lanes = rank == 0 ? 6.0 : 3.0}});
    graph.links.push_back({(rank + 1) % 4, rank, {.lanes = 1}});
  }
  for (const Collective collective : collectives()) {
    expect_near_optimum(*graph_topology(graph), collective, 1.25, 0);
    expect_near_optimum(*graph_topology(graph), collective, 2.1, 0, 1e-9);
  }
}

constexpr Machine with_start_up{.ports = Ports::multiple};

double simulated_in(std::int64_t chunks, const Synthesis& made, const Problem& problem, const Topology& network) {
  Workload workload(schedule_over(made.trees, problem, chunks), 1);
  return simulate(workload, network, with_start_up).seconds;
}

void expect_chunks_of_the_least_time(Collective collective, const char* words) {
  const TopologyPtr network = topology_named(words);
  const Synthesis made = synthesize({.collective = collective}, *network, with_start_up);
  for (const std::int64_t bytes : {1 << 14, 1 << 18}) {
    const Problem problem{.collective = collective, .ranks = network->ranks(), .count = bytes};
    const std::int64_t chosen = best_chunks(made, problem, bytes, with_start_up);
    const double time = simulated_in(chosen, made, problem, *network);
    for (std::int64_t chunks = 1; chunks <= 4 * chosen; chunks += std::max<std::int64_t>(1, chunks / 4))
      EXPECT_LE(time, simulated_in(chunks, made, problem, *network) * 1.02)
          << words << ", " << describe(problem) << ": " << chosen << " chunks, not " << chunks;
  }
}

TEST(Synthesized, TakesTheChunksOfTheLeastTime) {
  for (const char* words : {"ring:6", "torus:3x3", "linear:5", "tree:8", "dgx-1v"}) {
    for (const Collective collective : {Collective::broadcast, Collective::all_gather, Collective::all_reduce})
      expect_chunks_of_the_least_time(collective, words);
  }
}

// Ways round keep every link as full in every round, so that long messages lose nothing but start-ups; for short ones
// lower trees are taken.
TEST(Synthesized, LosesStartUpsAloneWhereWaysRoundAreAtTheOptimum) {
  constexpr std::int64_t bytes = 1 << 16;
  for (const char* words : {"linear:8", "tree:16", "numa:2x2x2", "fat-tree:2x3x2", "linear:7", "torus:4x4", "mesh:4x4",
                            "torus:3x3x3", "hypercube:4"}) {
    const TopologyPtr network = topology_named(words);
    const int p = network->ranks();
    for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter, Collective::all_reduce}) {
      const bool twice = collective == Collective::all_reduce;
      const Synthesis made = synthesize({.collective = collective, .bytes = bytes}, *network, with_start_up);
      const Problem problem{.collective = collective, .ranks = p, .count = twice ? p * bytes : bytes};
      const std::int64_t chunks = best_chunks(made, problem, problem.count, with_start_up);
      const double least = made.optimum * static_cast<double>(problem.count);
      EXPECT_LE(simulated_in(chunks, made, problem, *network), least + (twice ? 2 : 1) * p * with_start_up.ts)
          << words << ", " << name_of(collective);
    }
  }
  const TopologyPtr network = topology_named("numa:2x4x4");
  const auto depth_for = [&](std::int64_t told) {
    return synthesize({.bytes = told}, *network, with_start_up).trees.down.depth();
  };
  EXPECT_LT(depth_for(8), depth_for(bytes));
}

// No message of a round waits for another, though trees have as many chunks as their parts differ.
TEST(Synthesized, TakesNoLongerThanItsRoundsFromOneRoot) {
  constexpr std::int64_t bytes = 1 << 18;
  for (const char* words : {"ring:6", "torus:3x4", "mesh:3x3", "tree:8", "tree:16", "numa:2x2x2", "dragonfly:2x2x2"}) {
    const TopologyPtr network = topology_named(words);
    for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
      const Synthesis made = synthesize({.collective = collective}, *network, with_start_up);
      const Problem problem{.collective = collective, .ranks = network->ranks(), .count = bytes};
      const std::int64_t chunks = best_chunks(made, problem, bytes, with_start_up);
      const auto n = static_cast<double>(chunks);
      const int depth = std::max(made.trees.up.depth(), made.trees.down.depth());
      const double rounds = (n + depth - 1) * (with_start_up.ts + made.achieved * bytes / n);
      EXPECT_LE(simulated_in(chunks, made, problem, *network), rounds * 1.02) << words << ", " << name_of(collective);
    }
  }
}

TEST(Synthesized, IsProvedForAnyCount) {
  const TopologyPtr network = topology_named("torus:2x3");
  for (const Collective collective : collectives()) {
    const Synthesis made = synthesize({.collective = collective, .root = 1}, *network, many_ports());
    for (const std::int64_t count : {0, 1, 5, 6, 31}) {
      for (const std::int64_t chunks : {1, 3, 64}) {
        Problem problem{.collective = collective, .ranks = 6, .count = count, .root = has_root(collective) ? 1 : 0};
        EXPECT_TRUE(verify(schedule_over(made.trees, problem, chunks)).proved()) << describe(problem) << chunks;
        problem.in_place = allows_in_place(collective);
        EXPECT_TRUE(verify(schedule_over(made.trees, problem, chunks)).proved()) << describe(problem) << chunks;
        if (collective != Collective::all_gather && collective != Collective::reduce_scatter) continue;
        problem.counts = {3, 0, count, 1, 7, 2};
        EXPECT_TRUE(verify(schedule_over(made.trees, problem, chunks)).proved()) << describe(problem) << chunks;
      }
    }
  }
}

TEST(Synthesized, OneRankCopies) {
  for (const Collective collective : collectives()) {
    const TopologyPtr network = topology_named("full:1");
    const Synthesis made = synthesize({.collective = collective}, *network, many_ports());
    EXPECT_EQ(made.optimum, 0);
    EXPECT_TRUE(verify(schedule_over(made.trees, {.collective = collective, .ranks = 1, .count = 5}, 2)).proved());
  }
}

TEST(Synthesized, RefusesWhatItCannotShareOut) {
  EXPECT_THROW(synthesize({.collective = Collective::all_to_all}, *topology_named("ring:4"), many_ports()), Error);
  EXPECT_THROW(synthesize({}, *topology_named("full:3000"), many_ports()), Error);
  Machine free = many_ports();
  free.tw = 0;
  EXPECT_THROW(synthesize({}, *topology_named("ring:4"), free), Error);
}

TEST(Synthesized, RefusesMoreChunksThanAScheduleHolds) {
  const Trees trees =
      synthesize({.collective = Collective::all_gather}, *topology_named("full:64"), many_ports()).trees;
  const Problem problem{.collective = Collective::all_gather, .ranks = 64, .count = 1 << 20};
  try {
    schedule_over(trees, problem, 1 << 20);
    FAIL() << "four thousand million messages are recorded";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("take at most 16644 chunks"), std::string::npos) << error.what();
  }
  Problem brief = problem;
  brief.count = 2;
  EXPECT_TRUE(verify(schedule_over(trees, brief, 1 << 10)).proved()) << "pieces without elements are not sent";
}

}  // namespace
}  // namespace tutti::synthesize
