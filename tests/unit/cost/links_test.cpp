/// @file
/// Capacities of links, against the messages that use them.

#include "cost/bounds/links.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "topology/graph.hpp"

namespace tutti {
namespace {

// Messages between all ranks start up in times of which the least and the most are told: links between switches have
// none of their own to add.
TEST(PortSpeeds, TellWhatMessagesCost) {
  GraphDescription graph{.name = "two hosts", .ranks = 4, .switches = 2};
  for (int rank = 0; rank < 4; ++rank) add_cable(graph, rank, 4 + rank / 2, {.ts = 1e-6 * (1 + rank)});
  add_cable(graph, 4, 5, {.ts = 9e-6});
  const TopologyPtr network = graph_topology(graph);
  double least = 1;
  double most = 0;
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      std::vector<LinkId> path;
      if (from != to) network->route(from, to, path);
      if (path.empty()) continue;
      const double latency = path_cost({}, *network, path, 0).latency;
      least = std::min(least, latency);
      most = std::max(most, latency);
    }
  }
  const PortSpeeds speeds = port_speeds(*network, {});
  EXPECT_DOUBLE_EQ(speeds.least_ts, least);
  EXPECT_DOUBLE_EQ(speeds.most_ts, most);
}

}  // namespace
}  // namespace tutti
