/// @file
/// Trees up and down at once: cheapest trees against all trees, every schedule proved, and its time against the most
/// that parts of the network must tell one another.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>

#include "synthesize/overlapped.hpp"
#include "synthesize/trees/arborescence.hpp"
#include "topology/formats/named.hpp"
#include "topology/graph.hpp"
#include "tutti/error.hpp"
#include "unit/synthesize/networks.hpp"
#include "verify/verify.hpp"

namespace tutti::synthesize {
namespace {

constexpr SynthesisRequest all_reduce{.collective = Collective::all_reduce};

// Every choice of parents that is a tree.
double least_of_all(int nodes, int root, const std::vector<double>& weights) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<int> parents(static_cast<std::size_t>(nodes), -1);
  const auto leads_to_root = [&](int node) {
    for (int steps = 0; steps < nodes && node != root; ++steps) node = parents[static_cast<std::size_t>(node)];
    return node == root;
  };
  const std::function<void(int, double)> choose = [&](int node, double weight) {
    if (node == root) return choose(node + 1, weight);
    if (node >= nodes) {
      for (int each = 0; each < nodes; ++each) {
        if (!leads_to_root(each)) return;
      }
      least = std::min(least, weight);
      return;
    }
    for (int parent = 0; parent < nodes; ++parent) {
      if (parent == node) continue;
      parents[static_cast<std::size_t>(node)] = parent;
      choose(node + 1, weight + weights[static_cast<std::size_t>(parent * nodes + node)]);
    }
  };
  choose(0, 0);
  return least;
}

TEST(Arborescence, WeighsTheLeastOfAll) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 60; ++trial) {
    const int nodes = 1 + below(random, 5);
    const int root = below(random, nodes);
    std::vector<double> weights;
    for (int k = 0; k < nodes * nodes; ++k) weights.push_back(below(random, 12));
    const std::vector<int> parents = least_arborescence(nodes, root, weights);
    double weight = 0;
    for (int node = 0; node < nodes; ++node) {
      int at = node;
      for (int steps = 0; at != root; ++steps) {
        ASSERT_LT(steps, nodes) << "a circle, trial " << trial << ", seed " << seed;
        at = parents[static_cast<std::size_t>(at)];
      }
      if (node != root)
        weight += weights[static_cast<std::size_t>(parents[static_cast<std::size_t>(node)] * nodes + node)];
    }
    EXPECT_EQ(weight, least_of_all(nodes, root, weights)) << "trial " << trial << ", seed " << seed;
  }
}

// The greatest 2 (k - 1) / (lanes between parts) over all ways of cutting the ranks into k parts: to learn of one
// another's data and of the result, parts must send so much. Without switches, and with links that carry as much both
// ways, trees exist that take no more (C. Nash-Williams, W. Tutte, 1961).
double least_for_parts(const Topology& network) {
  const int ranks = network.ranks();
  double greatest = 0;
  std::vector<int> part(static_cast<std::size_t>(ranks));
  const std::function<void(int, int)> choose = [&](int rank, int parts) {
    if (rank < ranks) {
      for (int k = 0; k <= parts; ++k) {
        part[static_cast<std::size_t>(rank)] = k;
        choose(rank + 1, std::max(parts, k + 1));
      }
      return;
    }
    double lanes = 0;
    for (LinkId id = 0; id < network.links(); ++id) {
      const Link link = network.link(id);
      if (part[static_cast<std::size_t>(link.from)] != part[static_cast<std::size_t>(link.to)])
        lanes += link.cost.lanes;
    }
    if (parts > 1) greatest = std::max(greatest, 2.0 * (parts - 1) / lanes);
  };
  choose(0, 0);
  return greatest * Machine{}.tw;
}

TEST(Overlapped, IsNearTheLeastThatPartsMustSend) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 40; ++trial) {
    const TopologyPtr network = random_cables(random, 0);
    const Synthesis made = overlapped_trees(all_reduce, 1 << 24, *network, many_ports());
    const double least = least_for_parts(*network);
    EXPECT_GE(made.achieved, least * (1 - 1e-9)) << "trial " << trial << ", seed " << seed;
    EXPECT_LE(made.achieved, least * 1.1) << "trial " << trial << ", seed " << seed;
  }
}

TEST(Overlapped, TakesWhatItsTreesSay) {
  std::mt19937_64 random(seed);
  constexpr std::int64_t bytes = 1 << 16;
  for (int trial = 0; trial < 30; ++trial) {
    const TopologyPtr network = random_cables(random, below(random, 3));
    const Problem problem{.collective = Collective::all_reduce, .ranks = network->ranks(), .count = bytes};
    const Synthesis made = overlapped_trees(all_reduce, bytes, *network, many_ports());
    constexpr std::int64_t chunks = 40;
    const Schedule schedule = overlapped_schedule_over(made.trees, problem, chunks);
    const Proof proof = verify(schedule);
    EXPECT_TRUE(proof.proved()) << (proof.failure ? describe(*proof.failure) : "") << ", trial " << trial;
    const std::int64_t rounds = chunks + made.trees.up.depth() + made.trees.down.depth() - 1;
    const double seconds = simulated(schedule, *network, Routing::own);
    EXPECT_LE(seconds, made.achieved * bytes * static_cast<double>(rounds) / chunks * 1.1)
        << "trial " << trial << ", seed " << seed;
    EXPECT_GE(seconds, made.achieved * bytes * 0.99) << "trial " << trial << ", seed " << seed;
  }
}

TEST(Overlapped, IsProvedForAnyCount) {
  for (const char* words : {"linear:2", "torus:2x3", "star:5", "rails:2x3"}) {
    const TopologyPtr network = topology_named(words);
    const Synthesis made = overlapped_trees(all_reduce, 1 << 10, *network, many_ports());
    for (const std::int64_t count : {0, 1, 5, 31}) {
      for (const std::int64_t chunks : {1, 3, 64}) {
        Problem problem{.collective = Collective::all_reduce, .ranks = network->ranks(), .count = count};
        EXPECT_TRUE(verify(overlapped_schedule_over(made.trees, problem, chunks)).proved()) << describe(problem);
        problem.in_place = true;
        EXPECT_TRUE(verify(overlapped_schedule_over(made.trees, problem, chunks)).proved()) << describe(problem);
      }
    }
  }
}

// Links of another width one way, and ranks that inject slowly.
TEST(Overlapped, TakesLinksAndLimitsAsTheyAre) {
  GraphDescription graph{.name = "one way", .ranks = 5};
  for (int rank = 0; rank < 5; ++rank) {
    graph.links.push_back({rank, (rank + 1) % 5, {.lanes = 4}});
    graph.links.push_back({(rank + 1) % 5, rank, {.lanes = 1}});
  }
  const TopologyPtr network = graph_topology(graph);
  const double tw = Machine{}.tw;
  // All 25 lanes together carry 2 (p - 1) = 8 times the message.
  const Synthesis free = overlapped_trees(all_reduce, 1 << 20, *network, many_ports());
  EXPECT_GE(free.achieved, 8 * tw / 25 * (1 - 1e-9));
  EXPECT_LE(free.achieved, 8 * tw / 25 * 1.2);
  // With a lane for each rank the message goes out of each 2 (p - 1)/p times.
  const Synthesis limited =
      overlapped_trees({.collective = Collective::all_reduce, .injection = tw}, 1 << 20, *network, many_ports());
  EXPECT_GE(limited.achieved, 1.6 * tw * (1 - 1e-9));
  EXPECT_LE(limited.achieved, 1.6 * tw * 1.1);
}

TEST(Overlapped, RefusesOtherCollectives) {
  const Synthesis made = overlapped_trees(all_reduce, 64, *topology_named("ring:4"), many_ports());
  EXPECT_THROW(overlapped_schedule_over(made.trees, {.collective = Collective::broadcast, .ranks = 4, .count = 8}, 1),
               Error);
  EXPECT_THROW(overlapped_schedule_over(
                   made.trees, {.collective = Collective::all_reduce, .ranks = 4, .count = 8, .commutative = false}, 1),
               Error);
}

}  // namespace
}  // namespace tutti::synthesize
