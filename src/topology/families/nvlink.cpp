/// @file
/// Machines of GPUs joined by NVLink.

#include <fmt/format.h>

#include "base/check.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

constexpr int lanes_each = 6;  // NVLinks of a V100

}  // namespace

TopologyPtr nvlink_quad(int lanes) {
  GraphDescription graph{.name = "nvlink:4", .ranks = 4, .forwarding = Forwarding::ranks};
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b) add_cable(graph, a, b, {.lanes = static_cast<double>(lanes)});
  }
  return graph_topology(std::move(graph));
}

// Two quads; within each a ring of one-lane and two-lane links and both diagonals, and a link from each GPU to its
// twin.
TopologyPtr dgx1v() {
  struct Cable {
    int a, b, lanes;
  };
  constexpr Cable cables[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {1, 2, 2}, {1, 3, 1}, {2, 3, 2}, {4, 5, 1}, {4, 6, 1},
                              {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}, {0, 4, 2}, {1, 5, 2}, {2, 6, 1}, {3, 7, 1}};
  GraphDescription graph{.name = "dgx-1v", .ranks = 8, .forwarding = Forwarding::ranks};
  for (const Cable& cable : cables) add_cable(graph, cable.a, cable.b, {.lanes = static_cast<double>(cable.lanes)});
  return graph_topology(std::move(graph));
}

TopologyPtr nvswitch(int gpus) {
  require(gpus >= 1, "a machine has at least 1 GPU, not {}", gpus);
  GraphDescription graph{.name = fmt::format("nvswitch:{}", gpus), .ranks = gpus, .switches = 1};
  check_table(graph.name, gpus, std::int64_t{gpus} + 1);
  for (int gpu = 0; gpu < gpus; ++gpu) add_cable(graph, gpu, gpus, {.lanes = lanes_each});
  return graph_topology(std::move(graph));
}

TopologyPtr nvswitch_nodes(int nodes, int gpus, double nic_slowdown) {
  require(nodes >= 1 && gpus >= 1, "a cluster has at least 1 machine of 1 GPU, not {} of {}", nodes, gpus);
  const std::string name = fmt::format("nvswitch:{}x{}", nodes, gpus);
  const std::int64_t all = std::int64_t{nodes} * gpus;
  check_table(name, all, all + nodes + 1);
  const auto ranks = static_cast<int>(all);
  GraphDescription graph{.name = name, .ranks = ranks, .switches = nodes + 1};
  for (int node = 0; node < nodes; ++node) {
    for (int gpu = 0; gpu < gpus; ++gpu) add_cable(graph, node * gpus + gpu, ranks + node, {.lanes = lanes_each});
    if (nodes > 1) add_cable(graph, ranks + node, ranks + nodes, {.lanes = gpus * lanes_each / nic_slowdown});
  }
  return graph_topology(std::move(graph));
}

}  // namespace tutti
