/// @file
/// Trees packed into networks: against the links that they use, by the network's own routes too, and how deep they are.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "support/sanitizers.hpp"
#include "synthesize/synthesize.hpp"
#include "topology/formats/named.hpp"
#include "topology/graph.hpp"
#include "unit/synthesize/networks.hpp"
#include "verify/verify.hpp"

namespace tutti::synthesize {
namespace {

// Trees span all ranks, use no link beyond its capacity, and carry all parts of every root.
void expect_packed(const Forest& forest, const Capacities& links, const Supplies& supplies, const std::string& what) {
  Capacities left = links;
  Supplies carried(supplies.size());
  for (const Tree& tree : forest.trees) {
    std::set<int> reached{tree.root};
    for (const TreeEdge& edge : tree.edges) {
      EXPECT_TRUE(reached.contains(edge.from)) << what;
      EXPECT_TRUE(reached.insert(edge.to).second) << what;
      left.at(edge.from, edge.to) -= tree.parts;
      EXPECT_GE(left.at(edge.from, edge.to), 0) << what;
    }
    EXPECT_EQ(reached.size(), supplies.size()) << what;
    carried[static_cast<std::size_t>(tree.root)] += tree.parts;
  }
  EXPECT_EQ(carried, supplies) << what;
}

// The links between ranks that remain without switches, as a network: a lane each unit.
TopologyPtr network_of(const Capacities& links) {
  GraphDescription graph{.name = "without switches", .ranks = links.ranks()};
  for (int from = 0; from < links.ranks(); ++from) {
    for (int to = 0; to < links.ranks(); ++to) {
      if (links.at(from, to) > 0) graph.links.push_back({from, to, {.lanes = static_cast<double>(links.at(from, to))}});
    }
  }
  return graph_topology(std::move(graph));
}

// Returns the share of the first and the last rounds, in which not all edges are used.
double filling(const Forest& forest, std::int64_t chunks) {
  return static_cast<double>(chunks + std::max(forest.depth(), 1) - 1) / static_cast<double>(chunks);
}

TEST(PackedTrees, UseTheLinksOfRandomNetworksAtTheOptimum) {
  std::mt19937_64 random(seed);
  test::Sample sample;
  for (int trial = 0; trial < 60; ++trial) {
    const TopologyPtr network = random_cables(random, below(random, 4));
    const int root = below(random, 2 * network->ranks()) - network->ranks();
    if (!sample.takes_next()) continue;
    const std::string what = fmt::format("trial {}, root {}, seed {}", trial, root, seed);
    const Capacities capacities = capacities_of(*network, {}).capacities;
    Supplies supplies = supplies_of(network->ranks(), root < 0 ? -1 : root);
    const NarrowCut narrowest = narrowest_cut(capacities, supplies);
    const Scaled scaled = scaled_to_trees(capacities, supplies, narrowest, 1 << 20);
    EXPECT_NEAR(scaled.factor(), ratio_of(narrowest), 1e-12 * scaled.factor()) << what;
    for (std::int64_t& supply : supplies) supply *= scaled.each;
    const std::vector<Way> ways = trial % 2 == 0 ? own_ways(*network, false) : std::vector<Way>();
    const Capacities links = without_switches(scaled.capacities, supplies, ways);
    const Forest forest = pack_trees(links, supplies);
    expect_packed(forest, links, supplies, what);
    const bool gathers = root < 0;
    const Problem problem{.collective = gathers ? Collective::all_gather : Collective::broadcast,
                          .ranks = network->ranks(),
                          .count = scaled.each * 64,
                          .root = gathers ? 0 : root};
    const Schedule schedule = schedule_over({.up = {}, .down = forest}, problem, 16);
    EXPECT_TRUE(verify(schedule).proved()) << what;
    // A lane for each tree: a part takes a byte's time for each of its bytes.
    EXPECT_LE(simulated(schedule, *network_of(links), Routing::own), 64e-9 * filling(forest, 16) * (1 + 1e-9)) << what;
  }
}

// No link carries more than in the optimum, along the routes that messages take, too.
TEST(PackedTrees, NeedNoMoreOfLinksByOwnRoutes) {
  const Machine machine = many_ports();
  for (const char* words : {"star:9", "tree:8", "fat-tree:4x3x2", "clos:4x4x2", "rails:2x3", "numa:2x2x4",
                            "nvswitch:4x4", "dragonfly:2x2x2", "dragonfly:3x2x3"}) {
    const TopologyPtr network = topology_named(words);
    for (const Collective collective : collectives()) {
      const Synthesis made = synthesize({.collective = collective, .root = 1}, *network, machine);
      double time = 0;
      for (const bool turned : {false, true}) {
        const Forest& forest = turned ? made.trees.up : made.trees.down;
        time += time_by_routes(forest, *network, machine, turned);
      }
      if (collective == Collective::all_reduce) time /= network->ranks();
      EXPECT_LE(time, made.optimum * (1 + 1e-9)) << name_of(collective) << " on " << words;
    }
  }
}

// Whatever the network, its links have no more to carry by its routes than where trees know none of them. Of one root's
// trees finer ones gain as well, and stars need to know nothing: what is counted is all-gathers by other trees.
TEST(PackedTrees, KnowRoutesToTheirGain) {
  const Machine machine = many_ports();
  std::mt19937_64 random(seed);
  int gained = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const TopologyPtr network = random_cables(random, 1 + below(random, 4));
    const bool gathers = trial % 2 == 0;
    const int root = below(random, network->ranks());
    const Capacities capacities = capacities_of(*network, machine).capacities;
    Supplies supplies = supplies_of(network->ranks(), gathers ? -1 : root);
    const Scaled scaled = scaled_to_trees(capacities, supplies, narrowest_cut(capacities, supplies), 16);
    for (std::int64_t& supply : supplies) supply *= scaled.each;
    const double unaware =
        time_by_routes(pack_trees(without_switches(scaled.capacities, supplies), supplies), *network, machine, false);
    const SynthesisRequest wish =
        gathers ? SynthesisRequest{} : SynthesisRequest{.collective = Collective::broadcast, .root = root};
    const Synthesis made = synthesize(wish, *network, machine);
    const double time = time_by_routes(made.trees.down, *network, machine, false);
    EXPECT_LE(time, unaware * (1 + 1e-9)) << "trial " << trial << ", seed " << seed;
    gained += gathers && made.trees.down.depth() > 1 && time < unaware * 0.99 ? 1 : 0;
  }
  EXPECT_GT(gained, 0);
}

void expect_shared(const Forest& forest, int ranks, int root, int trees) {
  const std::string what =
      std::to_string(trees) + " trees, root " + std::to_string(root) + " of " + std::to_string(ranks);
  std::vector<int> sent(static_cast<std::size_t>(ranks));
  EXPECT_EQ(forest.each, trees) << what;
  ASSERT_EQ(forest.trees.size(), static_cast<std::size_t>(trees)) << what;
  for (const Tree& tree : forest.trees) {
    std::vector<int> depths(static_cast<std::size_t>(ranks), -1);
    depths[static_cast<std::size_t>(root)] = 0;
    for (const TreeEdge& edge : tree.edges) {
      const int above = depths[static_cast<std::size_t>(edge.from)];
      EXPECT_GE(above, 0) << what;
      EXPECT_EQ(std::exchange(depths[static_cast<std::size_t>(edge.to)], edge.depth), -1) << what;
      EXPECT_EQ(edge.depth, above + 1) << what;
      ++sent[static_cast<std::size_t>(edge.from)];
    }
    EXPECT_EQ(tree.edges.size(), depths.size() - 1) << what;
  }
  EXPECT_EQ(sent[static_cast<std::size_t>(root)], trees) << what;
  EXPECT_LE(*std::max_element(sent.begin(), sent.end()), trees) << what;
  EXPECT_LE(forest.depth(), 3 + ceil_log2(ranks) / std::max(1, ceil_log2(trees + 1) - 1)) << what;
}

// From a root with one link to a switch every rank gets all that it sends once, and many trees are low.
TEST(SharedTrees, ReachAllAndHaveNobodySendMoreThanItGets) {
  for (int ranks = 2; ranks <= 40; ++ranks) {
    for (int trees = 2; trees <= 16; ++trees) {
      const int root = (7 * trees + ranks) % ranks;
      const std::optional<Forest> forest = shared_trees(ranks, root, trees % ranks, trees);
      EXPECT_EQ(forest.has_value(), ranks - 1 >= trees) << ranks << ", " << trees;
      if (forest) expect_shared(*forest, ranks, root, trees);
    }
  }
  for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
    const Synthesis synthesis = synthesize({.collective = collective, .root = 3}, *topology_named("clos:4x4x4"), {});
    EXPECT_LE(std::max(synthesis.trees.up.depth(), synthesis.trees.down.depth()), 4) << name_of(collective);
  }
}

// Nobody passes anything on if every rank can tell all others itself; elsewhere few do.
TEST(PackedTrees, AreStarsWhereThoseAreAtTheOptimum) {
  for (const auto& [words, depth] :
       {std::pair{"full:7", 1}, std::pair{"star:7", 1}, std::pair{"fat-tree:2x3", 1}, std::pair{"dragonfly:2x4x2", 1},
        std::pair{"ring:3", 1}, std::pair{"nvswitch:4x4", 2}, std::pair{"ring:7", 3}}) {
    const Synthesis made = synthesize({}, *topology_named(words), many_ports());
    EXPECT_EQ(made.trees.down.depth(), depth) << words;
  }
}

// More parts bring trees nearer to the optimum, or to within a hundredth of the best that there is.
TEST(PackedTrees, AreNearerTheOptimumWithMoreParts) {
  std::mt19937_64 random(seed);
  int nearer = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const TopologyPtr network = random_cables(random, 0);
    const Capacities capacities = capacities_of(*network, {}).capacities;
    const Supplies supplies = supplies_of(network->ranks(), -1);
    const NarrowCut narrowest = narrowest_cut(capacities, supplies);
    const auto factor = [&](std::int64_t most) {
      return scaled_to_trees(capacities, supplies, narrowest, most).factor();
    };
    const double finest = factor(8);
    EXPECT_GE(finest, ratio_of(narrowest) * (1 - 1e-9)) << "trial " << trial << ", seed " << seed;
    for (const std::int64_t most : {1, 2, 3, 5})
      EXPECT_LE(finest, factor(most) * 1.011) << "trial " << trial << ", seed " << seed;
    // Tried parts must gain, too, if as many parts as are exact are too many.
    const bool rounded = scaled_to_trees(capacities, supplies, narrowest, 1 << 20).each > 8;
    nearer += rounded && finest < factor(1) * 0.98 ? 1 : 0;
  }
  EXPECT_GT(nearer, 0);
}

struct Depth {
  const char* network;
  int most;  // edges of the deepest tree of an all-gather
};

// Few chunks fill trees that are not deep. Grown one after the other, trees are up to five times as deep.
TEST(PackedTrees, AreNotDeep) {
  for (const Depth& row : {Depth{"ring:8", 4}, Depth{"torus:4x4", 6}, Depth{"hypercube:4", 5}, Depth{"mesh:4x4", 8},
                           Depth{"nvswitch:4x4", 2}, Depth{"rails:4x4", 2}, Depth{"fat-tree:4x2", 2},
                           Depth{"clos:4x4x2", 4}, Depth{"dragonfly:2x4x2", 8}}) {
    const TopologyPtr network = topology_named(row.network);
    const Capacities capacities = capacities_of(*network, {.ports = Ports::multiple}).capacities;
    Supplies supplies(static_cast<std::size_t>(network->ranks()), 1);
    const Scaled scaled = scaled_to_trees(capacities, supplies, narrowest_cut(capacities, supplies), 16);
    for (std::int64_t& supply : supplies) supply *= scaled.each;
    EXPECT_LE(pack_trees(without_switches(scaled.capacities, supplies), supplies).depth(), row.most) << row.network;
  }
}

// By as few messages as there can be, one after the other, and by others that are shorter.
TEST(LowTrees, AreProvedForAnyRanksRootsAndCounts) {
  for (int p = 1; p <= 9; ++p) {
    const TopologyPtr network = topology_named(fmt::format("ring:{}", p));
    for (const Collective collective : collectives()) {
      const int root = has_root(collective) ? p / 2 : 0;
      const SynthesisRequest wish{.collective = collective, .root = root};
      const std::vector<Synthesis> all = with_low_trees(wish, *network, {.ports = Ports::multiple});
      ASSERT_FALSE(all.empty());
      EXPECT_LE(all.front().trees.down.depth(), 1);
      EXPECT_LE(all.front().trees.up.depth(), 1);
      for (const Synthesis& low : all) {
        EXPECT_LE(low.achieved, low.one_chunk * (1 + 1e-9));
        for (const std::int64_t count : {0, 1, 5, 1000}) {
          const Problem problem{.collective = collective, .ranks = p, .count = count, .root = root};
          const Proof proof = verify(schedule_over(low.trees, problem, 1));
          EXPECT_TRUE(proof.proved()) << name_of(collective) << ", " << p << " ranks, " << count
                                      << " elements: " << (proof.failure ? describe(*proof.failure) : "");
        }
      }
    }
  }
}

// Trees of 1,024 ranks are a million edges or more.
TEST(LowTrees, AreFew) {
  const TopologyPtr network = topology_named("hypercube:10");
  EXPECT_TRUE(with_low_trees({.collective = Collective::all_gather}, *network, {}).empty());
  for (const Synthesis& low : with_low_trees({.collective = Collective::broadcast}, *network, {}))
    EXPECT_LE(low.trees.down.trees.size() * 1023, 1U << 17U);
}

TEST(Capacities, AreScaledWhateverTheirProducts) {
  Capacities links(2, 2);
  links.at(0, 1) = std::int64_t{1} << 40;
  EXPECT_EQ(links.times(std::int64_t{1} << 30, std::int64_t{1} << 20).at(0, 1), std::int64_t{1} << 50);
}

}  // namespace
}  // namespace tutti::synthesize
