/// @file
/// Layouts and parameters as values, and what texts are told of them, in stages, too.

#include "schedule/model/layout.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "algorithms/table.hpp"
#include "base/integers.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/model/node_traffic.hpp"
#include "schedule/record/stage.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

constexpr unsigned seed = 20264;

std::vector<Location> random_locations(std::mt19937_64& random, int ranks) {
  std::vector<Location> locations;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    locations.push_back({.node = 10 * below(1 + ranks / 2), .domain = below(3) - 1, .core = below(9) - 1});
  }
  return locations;
}

TEST(Layout, CountsNodesInTheOrderOfTheirLowestRanks) {
  std::mt19937_64 random(seed);
  for (int ranks = 1; ranks <= 33; ++ranks) {
    const std::vector<Location> told = random_locations(random, ranks);
    const Layout layout(told);
    int known = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_LE(layout.node_of(rank), known) << "p " << ranks << ", seed " << seed;
      known = std::max(known, layout.node_of(rank) + 1);
      for (int other = 0; other < rank; ++other) {
        const bool together = told[static_cast<std::size_t>(rank)].node == told[static_cast<std::size_t>(other)].node;
        EXPECT_EQ(layout.node_of(rank) == layout.node_of(other), together);
      }
      EXPECT_EQ(layout.location(rank).core, told[static_cast<std::size_t>(rank)].core);
      EXPECT_EQ(layout.location(rank).domain, told[static_cast<std::size_t>(rank)].domain);
    }
    EXPECT_EQ(layout.nodes(), known);
    EXPECT_EQ(layout.size(), ranks);
  }
}

// Whatever numbers the nodes had, and however often a part is taken of a part.
TEST(Layout, OfAPartIsThatOfTheRanksInIt) {
  std::mt19937_64 random(seed);
  for (int ranks = 1; ranks <= 33; ++ranks) {
    const Layout layout(random_locations(random, ranks));
    std::vector<int> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(layout.of(all), layout);
    std::shuffle(all.begin(), all.end(), random);
    const std::vector<int> some(all.begin(), all.begin() + 1 + ranks / 2);
    const Layout part = layout.of(some);
    for (std::size_t a = 0; a < some.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        EXPECT_EQ(part.node_of(static_cast<int>(a)) == part.node_of(static_cast<int>(b)),
                  layout.node_of(some[a]) == layout.node_of(some[b]))
            << "p " << ranks << ", seed " << seed;
      }
    }
    EXPECT_EQ(part.of(std::vector<int>{0}), layout.of(std::vector<int>{some.front()}));
  }
}

TEST(Layout, ByNodesHasEachRankOnce) {
  const Layout layout = Layout::of_nodes(std::vector<int>{3, 5, 1});
  const auto by_node = layout.ranks_by_node(9);
  EXPECT_EQ(by_node, (std::vector<std::vector<int>>{{0, 1, 2}, {3, 4, 5, 6, 7}, {8}}));
  EXPECT_EQ(describe(layout, 9), "3 + 5 + 1 ranks on 3 nodes");
  EXPECT_EQ(describe(Layout::of_nodes(std::vector<int>{1}), 1), "1 rank on one node");
  EXPECT_EQ(describe(Layout::of_nodes(std::vector<int>(16, 8)), 128), "128 ranks on 16 nodes of 8");
}

TEST(Layout, ThatSaysNothingHasAllRanksOnOneNode) {
  const Layout layout;
  EXPECT_EQ(layout.nodes(), 1);
  for (int rank = 0; rank < 5; ++rank) EXPECT_EQ(layout.location(rank), Location{});
  EXPECT_EQ(layout.ranks_by_node(3), (std::vector<std::vector<int>>{{0, 1, 2}}));
  EXPECT_EQ(layout.of(std::vector<int>{4, 2}), layout);
  EXPECT_NO_THROW(check(layout, 7));
}

TEST(Layout, ThatIsNoneIsRefused) {
  EXPECT_THROW(check(Layout::of_nodes(std::vector<int>{3, 1}), 5), Error);
  EXPECT_THROW(Layout::of_nodes(std::vector<int>{3, 0}), Error);
  EXPECT_THROW(Layout(std::vector<Location>{{.node = -1}}), Error);
  const Problem problem{.ranks = 5, .count = 5};
  EXPECT_THROW(record(algorithms::broadcast_ring, problem, Layout::of_nodes(std::vector<int>{3, 1})), Error);
}

// Every message is within a node, or sent by one and received by another; on one node all of them are within.
TEST(NodeTraffic, HasEveryMessageOnce) {
  std::mt19937_64 random(seed);
  for (int ranks = 1; ranks <= 17; ++ranks) {
    const Schedule schedule = record(algorithms::broadcast_ring, {.ranks = ranks, .count = 5, .root = ranks / 2});
    const Traffic all = traffic_of(schedule);
    for (const Layout& layout : {Layout(), Layout(random_locations(random, ranks))}) {
      NodeTraffic traffic(layout);
      for (int rank = 0; rank < ranks; ++rank) traffic.add(rank, schedule.programs[static_cast<std::size_t>(rank)]);
      EXPECT_EQ(traffic.all(), (NodeTraffic::Sums{all.messages, all.elements}));
      NodeTraffic::Sums received;
      NodeTraffic::Sums within;
      for (const NodeTraffic::Node& node : traffic.nodes()) {
        received += node.received;
        within += node.within;
      }
      EXPECT_EQ(received, traffic.between());
      within += received;
      EXPECT_EQ(within, traffic.all());
      EXPECT_GE(traffic.between().messages, layout.nodes() - 1);
      EXPECT_EQ(traffic.between() == NodeTraffic::Sums(), layout.nodes() == 1);
    }
  }
}

/// View of a text: its ranks' nodes, and its parameters.
struct Seen {
  std::vector<int> nodes;
  Parameters parameters;
};

Record looking(std::vector<Seen>& seen) {
  return [&seen](Script& me, const Problem& problem) {
    Seen mine{{}, me.parameters()};
    for (int rank = 0; rank < problem.ranks; ++rank) mine.nodes.push_back(me.layout().node_of(rank));
    seen.push_back(mine);
  };
}

const Parameters given{.segments = 3, .grid = {2, 3}};

TEST(Script, TellsTheLayoutAndTheParameters) {
  std::vector<Seen> seen;
  record_all(looking(seen), {.ranks = 6, .count = 6}, given, Layout::of_nodes(std::vector<int>{4, 2}));
  ASSERT_EQ(seen.size(), 6U);
  for (const Seen& each : seen) {
    EXPECT_EQ(each.nodes, (std::vector<int>{0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(each.parameters, given);
  }
}

// Combinators that record a text apart or in stages tell it the same; a line of a grid has no grid of its own, and the
// nodes of its ranks count from 0.
TEST(Script, TellsCombinedTextsTheSame) {
  std::vector<Seen> seen;
  const Layout layout = Layout::of_nodes(std::vector<int>{4, 2});
  const Algorithm text{.collective = Collective::broadcast, .record = looking(seen)};
  record_all(pipelined(text), {.ranks = 6, .count = 6}, given, layout);
  ASSERT_EQ(seen.size(), 6U);  // once a rank, whose three segments are of one size
  for (const Seen& each : seen) {
    EXPECT_EQ(each.nodes, (std::vector<int>{0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(each.parameters, given);
  }
  seen.clear();
  record_rank(along_dimensions(text), {.ranks = 6, .count = 6, .root = 4}, 4, given, layout);
  ASSERT_EQ(seen.size(), 2U);  // the row of ranks 3, 4 and 5, then the column of 1 and 4
  EXPECT_EQ(seen[0].nodes, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(seen[1].nodes, (std::vector<int>{0, 1}));
  EXPECT_EQ(seen[0].parameters, Parameters{.segments = 3});
}

// A text recorded apart within a stage: its layout is the stage's.
TEST(Script, TellsATextApartInAStageOfTheStage) {
  std::vector<Seen> seen;
  const Algorithm text{.collective = Collective::broadcast, .record = looking(seen)};
  const Algorithm segmented{.collective = Collective::broadcast, .record = pipelined(text)};
  record_rank(along_dimensions(segmented), {.ranks = 6, .count = 6, .root = 4}, 4, {.segments = 1, .grid = {2, 3}},
              Layout::of_nodes(std::vector<int>{4, 2}));
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].nodes, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(seen[1].nodes, (std::vector<int>{0, 1}));
}

TEST(Parameters, ThatDoNotFitAreRefused) {
  EXPECT_THROW(check(Parameters{.grid = {2, 2}}, 5), Error);
  EXPECT_THROW(check(Parameters{.segments = -1}, 5), Error);
  EXPECT_NO_THROW(check(given, 6));
  EXPECT_THROW(record({algorithms::broadcast_mesh, {.grid = {2, 2}}}, {.ranks = 5, .count = 5}), Error);
}

TEST(Parameters, AreToldApartByWordsAndHash) {
  const std::vector<Parameters> different{{},
                                          {.segments = 2},
                                          {.segments = 3},
                                          {.grid = {2, 3}},
                                          {.grid = {3, 2}},
                                          {.grid = {6}},
                                          {.grid = {1, 6}},
                                          {.segments = 2, .grid = {2, 3}}};
  for (const Parameters& a : different) {
    for (const Parameters& b : different) {
      EXPECT_EQ(hash_of(a) == hash_of(b), a == b) << describe(a) << " and " << describe(b);
      EXPECT_EQ(describe(a) == describe(b), a == b);
    }
  }
  EXPECT_EQ(describe(different.back()), "2 segments, grid 2x3");
}

}  // namespace
}  // namespace tutti
