/// @file
/// Every hierarchical algorithm, proved over nodes of every kind; and its claims, held against its schedule.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/model/node_traffic.hpp"
#include "verify/verify.hpp"

namespace tutti {
namespace {

constexpr unsigned seed = 20265;

struct Placed {
  std::string words;
  Layout layout;
  bool alike = false;  ///< whether all nodes are
};

Placed nodes_of(const std::vector<int>& sizes) {
  std::string words = "nodes of";
  for (const int size : sizes) words += " " + std::to_string(size);
  return {words, Layout::of_nodes(sizes),
          std::all_of(sizes.begin(), sizes.end(), [&](int s) { return s == sizes[0]; })};
}

Placed round_robin(int ranks, int nodes) {
  std::vector<Location> locations;
  for (int rank = 0; rank < ranks; ++rank) locations.push_back({.node = rank % nodes});
  return {std::to_string(ranks) + " ranks dealt to " + std::to_string(nodes) + " nodes", Layout(locations),
          ranks % nodes == 0};
}

/// Ranks on nodes, in domains and on cores, drawn at random, or in their order.
Placed drawn(std::mt19937_64& random, int ranks, bool in_order) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int nodes = 1 + below(1 + ranks / 2);
  std::vector<Location> locations;
  for (int rank = 0; rank < ranks; ++rank) {
    const int core = below(6);
    locations.push_back({.node = below(nodes), .domain = core / 2, .core = core});
  }
  const auto key = [](const Location& at) { return std::tuple(at.node, at.domain, at.core); };
  if (in_order)
    std::sort(locations.begin(), locations.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return {std::to_string(ranks) + " ranks on " + std::to_string(nodes) + " nodes, in domains and on cores, drawn",
          Layout(locations)};
}

std::vector<Placed> placings() {
  std::vector<Placed> all;
  for (const std::vector<int>& sizes : {std::vector<int>{3, 5, 1},
                                        {1, 1, 6},
                                        {7},
                                        {4, 4},
                                        {2, 2, 2, 2},
                                        {3, 3, 3},
                                        {1, 1, 1, 1, 1},
                                        {1},
                                        {1, 1},
                                        {3, 5, 2},
                                        {5, 2, 4, 2},
                                        {6, 3},
                                        {1, 4},
                                        {4, 4, 4, 3}}) {
    all.push_back(nodes_of(sizes));
  }
  for (const auto& [ranks, nodes] : {std::pair{8, 3}, {9, 3}, {8, 2}, {7, 4}, {5, 5}})
    all.push_back(round_robin(ranks, nodes));
  std::mt19937_64 random(seed);
  for (int ranks = 1; ranks <= 12; ++ranks) all.push_back(drawn(random, ranks, ranks % 2 == 0));
  return all;
}

bool all_blocks_filled(const Problem& problem, const Layout& layout) {
  if (problem.collective == Collective::barrier) return true;
  const std::int64_t least = has_blocks(problem.collective) ? 1 : problem.ranks;
  if (problem.counts.empty()) return problem.count >= least * layout.nodes();
  return std::all_of(problem.counts.begin(), problem.counts.end(), [](std::int64_t count) { return count > 0; });
}

std::string text_of(const Traffic& traffic) {
  return std::to_string(traffic.rounds) + " rounds, " + std::to_string(traffic.messages) + " messages, " +
         std::to_string(traffic.elements) + " elements";
}

std::vector<const Algorithm*> hierarchical_algorithms() {
  std::vector<const Algorithm*> found;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    if (algorithm->for_several_nodes) found.push_back(algorithm);
  }
  return found;
}

std::string name_of_case(const testing::TestParamInfo<const Algorithm*>& test) {
  std::string name = std::string(name_of(test.param->collective)) + "_" + std::string(test.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class EveryHierarchy : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryHierarchy, IsProvedOverNodesOfEveryKind) {
  const Algorithm& algorithm = *GetParam();
  int cases = 0;
  for (const Placed& placed : placings()) {
    const auto see = [&](const Problem& problem, const Parameters& parameters) {
      if (HasFatalFailure()) return;
      ++cases;
      const std::string what = placed.words + ", seed " + std::to_string(seed) + ": " + describe(problem);
      const Choice choice(algorithm, parameters);
      const Schedule schedule = record(choice, problem, placed.layout);
      const Proof proof = verify(schedule);
      ASSERT_TRUE(proof.proved()) << what << "\n  " << describe(*proof.failure) << "\n" << text_of(schedule);
      const Traffic traffic = traffic_of(schedule);
      const Claims claims = choice.claims(problem, placed.layout);
      const std::string both = what + ": claims " + text_of(claims) + ", takes " + text_of(traffic);
      if (placed.alike && all_blocks_filled(problem, placed.layout)) {
        ASSERT_EQ(traffic, claims) << both;
      } else {
        ASSERT_LE(traffic.messages, claims.messages) << both;
        ASSERT_LE(traffic.elements, claims.elements) << both;
        if (traffic.messages == claims.messages) {
          ASSERT_LE(traffic.rounds, claims.rounds) << both;
        }
      }
    };
    algorithms::for_each_case(algorithm, placed.layout.size(), see, placed.layout);
  }
  ASSERT_GT(cases, 0);
  std::printf("%d cases proved\n", cases);
}

/// The ranks of each node, or domain of a node, or core of a domain, as those of nodes.
Layout at_level(const Layout& layout, int level) {
  std::map<std::tuple<int, int, int>, int> numbers;
  std::vector<Location> locations;
  for (int rank = 0; rank < layout.size(); ++rank) {
    const Location at = layout.location(rank);
    const std::tuple key(at.node, level > 0 ? at.domain : 0, level > 1 ? at.core : 0);
    locations.push_back({.node = numbers.try_emplace(key, static_cast<int>(numbers.size())).first->second});
  }
  return Layout(std::move(locations));
}

NodeTraffic traffic_between(const Schedule& schedule, const Layout& nodes) {
  NodeTraffic traffic(nodes);
  for (int rank = 0; rank < nodes.size(); ++rank) traffic.add(rank, schedule.programs[static_cast<std::size_t>(rank)]);
  return traffic;
}

// A message goes to each node once, on it to each domain once, and there to each core once.
TEST(Hierarchy, OfABroadcastReachesEachPartOfEachLevelOnce) {
  std::mt19937_64 random(seed);
  const Algorithm& leaders = *algorithms::find(Collective::broadcast, "leaders");
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const Layout layout = drawn(random, ranks, false).layout;
    const Problem problem{.collective = Collective::broadcast, .ranks = ranks, .count = 5, .root = ranks / 3};
    const Schedule schedule = record(leaders, problem, layout);
    for (const int level : {0, 1, 2}) {
      const Layout parts = at_level(layout, level);
      EXPECT_EQ(traffic_between(schedule, parts).between(),
                (NodeTraffic::Sums{parts.nodes() - 1, 5 * (parts.nodes() - 1)}))
          << ranks << " ranks, level " << level << ", seed " << seed;
    }
  }
}

// With n nodes of s ranks each rank sends and receives the s-th part of what its node must.
TEST(Hierarchy, OfManyLeadersSharesWhatGoesBetweenNodes) {
  for (const int n : {2, 4, 8}) {
    for (const int s : {1, 2, 3, 8}) {
      const Layout layout = Layout::of_nodes(std::vector<int>(static_cast<std::size_t>(n), s));
      const std::int64_t m = 6LL * n * s;
      const Problem problem{.collective = Collective::all_reduce, .ranks = n * s, .count = m};
      const Schedule schedule = record(*algorithms::find(Collective::all_reduce, "multi-leader"), problem, layout);
      for (int rank = 0; rank < n * s; ++rank) {
        std::int64_t sent = 0;
        const Program& program = schedule.programs[static_cast<std::size_t>(rank)];
        for (const Op& op : program.ops) {
          const bool crosses = op.kind == OpKind::send && layout.node_of(op.peer) != layout.node_of(rank);
          if (crosses) sent += Slices(program.slices(op)).elements();
        }
        EXPECT_EQ(sent, 2 * (m / s) * (n - 1) / n) << "rank " << rank << " of " << n << " nodes of " << s;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryHierarchy, testing::ValuesIn(hierarchical_algorithms()), name_of_case);

}  // namespace
}  // namespace tutti
