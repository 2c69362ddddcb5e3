/// @file
/// Networks that tests of synthesized schedules draw at random, what their ranks have to tell, and what schedules take.
#pragma once

#include <cstdint>
#include <random>
#include <utility>

#include "simulate/simulate.hpp"
#include "topology/cuts/narrowest.hpp"
#include "topology/graph.hpp"

namespace tutti::synthesize {

inline constexpr std::uint64_t seed = 240206787;

/// Start-up costs nothing, so that long messages are not needed to see what the links allow.
inline Machine many_ports() { return {.ports = Ports::multiple, .ts = 0}; }

inline int below(std::mt19937_64& random, int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }

/// Cables of 1 to 4 lanes; a way round over all nodes makes the graph connected.
inline TopologyPtr random_cables(std::mt19937_64& random, int switches) {
  GraphDescription graph{.name = "random", .ranks = 2 + below(random, 5), .switches = switches};
  const int nodes = graph.ranks + graph.switches;
  const auto add = [&](int a, int b) {
    if (a != b) add_cable(graph, a, b, {.lanes = 1.0 + below(random, 4)});
  };
  for (int node = 0; node < nodes; ++node) add(node, (node + 1) % nodes);
  for (int extra = below(random, 2 * nodes); extra > 0; --extra) add(below(random, nodes), below(random, nodes));
  return graph_topology(std::move(graph));
}

inline Supplies supplies_of(int ranks, int root) {
  Supplies supplies(static_cast<std::size_t>(ranks), root < 0 ? 1 : 0);
  if (root >= 0) supplies[static_cast<std::size_t>(root)] = 1;
  return supplies;
}

inline double ratio_of(const NarrowCut& cut) {
  return static_cast<double>(cut.supply) / static_cast<double>(cut.capacity);
}

inline double simulated(const Schedule& schedule, const Topology& topology, Routing routing, double injection = 0) {
  Workload workload(schedule, 1);
  return simulate(workload, topology, many_ports(), {.routing = routing, .injection = injection}).seconds;
}

}  // namespace tutti::synthesize
