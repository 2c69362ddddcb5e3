/// @file
/// Use of a node's link, held against all programs' traffic over it together.

#include "predict/model/node_link.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "schedule/model/node_traffic.hpp"

namespace tutti {
namespace {

constexpr double bytes_each = 8;

/// Returns the seconds that the messages of all ranks take of rank 0's node, whose link carries both directions at a
/// time.
double link_seconds(const LevelCosts& costs, const Choice& choice, const Problem& problem) {
  NodeTraffic traffic(costs.layout());
  const Schedule schedule = record_all(choice, problem, costs.layout());
  for (int rank = 0; rank < problem.ranks; ++rank) traffic.add(rank, schedule.programs[static_cast<std::size_t>(rank)]);
  const NodeTraffic::Node& node = traffic.nodes()[static_cast<std::size_t>(costs.layout().node_of(0))];
  const double elements = static_cast<double>(std::max(node.sent.elements, node.received.elements));
  return costs.between_nodes().link_byte * bytes_each * elements;
}

void expect_links(const Layout& layout) {
  const LevelCosts costs(processes_costs, mpi_costs, layout);
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    for (const std::int64_t count : {1, 50, 3000}) {
      Problem problem{.collective = algorithm->collective, .ranks = layout.size(), .count = count, .distance = 1};
      if (problem.collective == Collective::barrier) problem.count = 0;
      if (unmet_need(*algorithm, problem, layout)) continue;
      const Choice choice(*algorithm);
      const double all = link_seconds(costs, choice, problem);
      RecordingContext context;
      NodeLink link(context, costs, choice, problem, bytes_each, 0);
      do {
        EXPECT_LE(link.least(), all * (1 + 1e-12)) << describe(problem) << " by " << algorithm->name;
      } while (link.look_at_next());
      EXPECT_NEAR(link.least(), all, all * 1e-12) << describe(problem) << " by " << algorithm->name;
      const double bytes = static_cast<double>(choice.claims(problem, layout).elements) * bytes_each;
      EXPECT_LE(all, link.at_most(bytes) * (1 + 1e-12)) << describe(problem) << " by " << algorithm->name;
    }
  }
}

TEST(NodeLink, OfUpToSixteenRanksIsInUseAsLongAsTheBusierOfItsDirections) {
  constexpr std::array<int, 2> two{4, 4};
  constexpr std::array<int, 4> four{4, 4, 4, 4};
  constexpr std::array<int, 3> uneven{7, 3, 2};
  expect_links(Layout::of_nodes(two));
  expect_links(Layout::of_nodes(four));
  expect_links(Layout::of_nodes(uneven));
  std::vector<Location> dealt(12);
  for (std::size_t rank = 0; rank < dealt.size(); ++rank) dealt[rank].node = static_cast<int>(rank % 3);
  expect_links(Layout(dealt));
}

}  // namespace
}  // namespace tutti
