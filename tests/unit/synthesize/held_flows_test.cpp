// Flows kept up while links become narrower, beside greatest flows that begin anew.

#include "synthesize/trees/held_flows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "synthesize/trees/forest.hpp"
#include "unit/synthesize/networks.hpp"

namespace tutti::synthesize {
namespace {

constexpr std::uint64_t held_seed = 20251;

struct Fed {
  Capacities capacities;
  Supplies supplies;
};

// Links enough for what the ranks feed, and some to spare.
Fed random_network(std::mt19937_64& random) {
  const int ranks = 2 + below(random, 5);
  const int nodes = ranks + below(random, 3);
  Fed fed{Capacities(ranks, nodes), Supplies(static_cast<std::size_t>(ranks))};
  for (int node = 0; node < nodes; ++node) {
    fed.capacities.at(node, (node + 1) % nodes) += 4;
    fed.capacities.at(node, below(random, nodes)) += below(random, 9);
    fed.capacities.at(node, below(random, nodes)) += below(random, 9);
  }
  for (int node = 0; node < nodes; ++node) fed.capacities.at(node, node) = 0;
  fed.supplies[0] = 1;
  while (fed.supplies[0] < 9 && !cut_too_narrow(fed.capacities, fed.supplies))
    ++fed.supplies[static_cast<std::size_t>(below(random, 2) * below(random, ranks))];
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
      const int from = below(random, nodes);
      const int by = below(random, nodes);
      const int to = below(random, nodes);
      if (from == by || by == to || from == to) continue;
      const bool narrows = below(random, 2) == 0;
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

}  // namespace
}  // namespace tutti::synthesize
