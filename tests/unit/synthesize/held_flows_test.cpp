// Flows kept up while links become narrower, beside greatest flows that begin anew.

#include "synthesize/held_flows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "synthesize/forest.hpp"
#include "topology/named.hpp"

namespace tutti::synthesize {
namespace {

constexpr std::uint64_t held_seed = 20251;

int drawn(std::mt19937_64& random, int limit) { return static_cast<int>(random() % static_cast<std::uint64_t>(limit)); }

struct Fed {
  Capacities capacities;
  Supplies supplies;
};

// Links enough for what the ranks feed, and some to spare.
Fed random_network(std::mt19937_64& random) {
  const int ranks = 2 + drawn(random, 5);
  const int nodes = ranks + drawn(random, 3);
  Fed fed{Capacities(ranks, nodes), Supplies(static_cast<std::size_t>(ranks))};
  for (int node = 0; node < nodes; ++node) {
    fed.capacities.at(node, (node + 1) % nodes) += 4;
    fed.capacities.at(node, drawn(random, nodes)) += drawn(random, 9);
    fed.capacities.at(node, drawn(random, nodes)) += drawn(random, 9);
  }
  for (int node = 0; node < nodes; ++node) fed.capacities.at(node, node) = 0;
  fed.supplies[0] = 1;
  while (fed.supplies[0] < 9 && !cut_too_narrow(fed.capacities, fed.supplies))
    ++fed.supplies[static_cast<std::size_t>(drawn(random, 2) * drawn(random, ranks))];
  while (cut_too_narrow(fed.capacities, fed.supplies)) {
    for (std::int64_t& supply : fed.supplies) supply = std::max<std::int64_t>(supply - 1, 0);
  }
  return fed;
}

HeldFlows flows_of(const Fed& fed) {
  HeldFlows flows(fed.capacities);
  for (int rank = 0; rank < fed.capacities.ranks(); ++rank)
    flows.feed(rank, fed.supplies[static_cast<std::size_t>(rank)]);
  return flows;
}

// `taken` is the most that `take` can take before some cut is too narrow.
template <typename Take>
void expect_most(const Fed& fed, std::int64_t taken, std::int64_t asked, const Take& take, const std::string& what) {
  Capacities after = fed.capacities;
  take(after, taken);
  EXPECT_FALSE(cut_too_narrow(after, fed.supplies)) << what;
  if (taken == asked) return;
  after = fed.capacities;
  take(after, taken + 1);
  EXPECT_TRUE(cut_too_narrow(after, fed.supplies)) << what;
}

TEST(HeldFlows, GiveWayAsFarAsCutsAllow) {
  std::mt19937_64 random(held_seed);
  int short_of = 0;
  for (int trial = 0; trial < 600; ++trial) {
    Fed fed = random_network(random);
    HeldFlows flows = flows_of(fed);
    const int nodes = fed.capacities.nodes();
    for (int change = 0; change < 12; ++change) {
      const std::string what = "trial " + std::to_string(trial) + ", seed " + std::to_string(held_seed);
      const int from = drawn(random, nodes);
      const int by = drawn(random, nodes);
      const int to = drawn(random, nodes);
      if (from == by || by == to || from == to) continue;
      const bool narrows = drawn(random, 2) == 0;
      const auto take = [&](Capacities& capacities, std::int64_t amount) {
        capacities.at(from, by) -= amount;
        if (narrows) return;
        capacities.at(by, to) -= amount;
        capacities.at(from, to) += amount;
      };
      const std::int64_t most =
          narrows ? fed.capacities.at(from, by) : std::min(fed.capacities.at(from, by), fed.capacities.at(by, to));
      const std::int64_t taken =
          narrows ? flows.narrow(from, by, most) : flows.split_off(std::array{from, by, to}, most);
      expect_most(fed, taken, most, take, what);
      take(fed.capacities, taken);
      short_of += taken < most ? 1 : 0;
      for (int node = 0; node < nodes; ++node)
        EXPECT_EQ(flows.capacity(from, node), fed.capacities.at(from, node)) << what;
    }
  }
  EXPECT_GT(short_of, 10);
}

TEST(HeldFlows, DropNodesThatNothingNeeds) {
  std::mt19937_64 random(held_seed);
  int dropped = 0;
  int kept = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Fed fed = random_network(random);
    if (fed.capacities.nodes() == fed.capacities.ranks()) continue;
    const int node = fed.capacities.ranks();
    HeldFlows flows = flows_of(fed);
    const bool could = flows.drop(node);
    Capacities without = fed.capacities;
    for (int other = 0; other < without.nodes(); ++other) without.at(node, other) = without.at(other, node) = 0;
    EXPECT_EQ(could, !cut_too_narrow(without, fed.supplies)) << "trial " << trial << ", seed " << held_seed;
    EXPECT_EQ(flows.neighbours(node).empty(), could) << "trial " << trial << ", seed " << held_seed;
    (could ? dropped : kept) += 1;
  }
  EXPECT_GT(dropped, 5);
  EXPECT_GT(kept, 5);
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

}  // namespace
}  // namespace tutti::synthesize
