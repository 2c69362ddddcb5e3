/// @file
/// Metrics by which networks are compared.
#pragma once

#include <optional>

#include "topology/topology.hpp"

namespace tutti {

/// The numbers of a network. A cable joins two nodes, with a link one way or both; nodes are ranks and switches.
struct Metrics {
  int ranks = 0;
  int switches = 0;
  /// Links, one way each, cables, and the lanes of all cables, which is the network's cost in equal wires.
  double links = 0;
  double cables = 0;
  double lanes = 0;
  /// Least and greatest number of cables of a rank, and greatest of a switch. Above `most_links_looked_at` nothing of
  /// switches, and of ranks only if all are alike.
  std::optional<int> least_degree;
  std::optional<int> degree;
  std::optional<int> switch_degree;
  /// The greatest distance between two ranks, and the mean one: over ordered pairs of different ranks, and over all
  /// ordered pairs, of which p have distance 0. Nothing above `most_ranks_paired`, unless all ranks are alike.
  std::optional<int> diameter;
  std::optional<double> mean_distance;
  std::optional<double> mean_distance_with_self;
  /// The least number of lanes, one way, between two halves of the ranks; nothing where it is not known.
  std::optional<double> bisection;
};

constexpr LinkId most_links_looked_at = LinkId{1} << 22;
constexpr int most_ranks_paired = 4096;

/// Cost: O(links + p²) within these limits.
Metrics metrics_of(const Topology& topology);

}  // namespace tutti
