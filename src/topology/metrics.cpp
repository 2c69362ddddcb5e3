#include "topology/metrics.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/cuts/cut.hpp"
#include "topology/cuts/graph_cuts.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

// Networks on which every rank sees what rank 0 sees.
bool all_alike(const Topology& topology) {
  static constexpr std::array<std::string_view, 9> families{"ring", "torus",    "hypercube", "full", "star",
                                                            "tree", "fat-tree", "clos",      "rails"};
  const std::string name = topology.name();
  const std::string_view family = std::string_view(name).substr(0, name.find(':'));
  const bool whole = name.find(' ') == std::string::npos;  // "hypercube:3 (embedded)" is numbered in another way
  return whole && std::find(families.begin(), families.end(), family) != families.end();
}

void add_distances(Metrics& metrics, const Topology& topology) {
  const int p = topology.ranks();
  const bool alike = all_alike(topology);
  if (p > most_ranks_paired && !alike) return;
  double sum = 0;
  int farthest = 0;
  const int sources = alike ? 1 : p;
  for (int from = 0; from < sources; ++from) {
    for (int to = 0; to < p; ++to) {
      const int distance = topology.distance(from, to);
      sum += distance;
      farthest = std::max(farthest, distance);
    }
  }
  metrics.diameter = farthest;
  metrics.mean_distance = p > 1 ? sum / sources / (p - 1) : 0;
  metrics.mean_distance_with_self = sum / sources / p;
}

// Families that are as large as that have a link each way in every cable. Where all ranks are alike, the ways of rank 0
// begin with all of its cables.
void add_large(Metrics& metrics, const Topology& topology, double lanes) {
  metrics.cables = metrics.links / 2;
  metrics.lanes = lanes / 2;
  if (!all_alike(topology)) return;
  std::set<int> neighbours;
  std::vector<LinkId> path;
  for (int to = 1; to < topology.ranks(); ++to) {
    path.clear();
    topology.choices(0, to, path);
    for (const LinkId link : path) neighbours.insert(topology.link(link).to);
  }
  metrics.least_degree = metrics.degree = static_cast<int>(neighbours.size());
}

void add_cables(Metrics& metrics, const Topology& topology) {
  std::map<std::pair<int, int>, double> cables;
  for (LinkId id = 0; id < topology.links(); ++id) {
    if (!leads_somewhere(topology, id)) continue;
    const Link link = topology.link(id);
    double& lanes = cables[std::minmax(link.from, link.to)];
    lanes = std::max(lanes, link.cost.lanes);
  }
  std::vector<int> degrees(static_cast<std::size_t>(topology.nodes()));
  for (const auto& [ends, lanes] : cables) {
    metrics.lanes += lanes;
    ++degrees[static_cast<std::size_t>(ends.first)];
    ++degrees[static_cast<std::size_t>(ends.second)];
  }
  metrics.cables = static_cast<double>(cables.size());
  const auto switches = degrees.begin() + topology.ranks();
  const auto [least, most] = std::minmax_element(degrees.begin(), switches);
  metrics.least_degree = *least;
  metrics.degree = *most;
  if (switches != degrees.end()) metrics.switch_degree = *std::max_element(switches, degrees.end());
}

// The family's closed form, or by search.
std::optional<double> bisection_of(const Topology& topology) {
  if (topology.ranks() < 2) return 0;
  const std::optional<double> named = topology.bisection();
  const bool few = topology.ranks() <= most_ranks_for_halves && topology.links() <= most_links_looked_at;
  return !named && few ? narrowest_halving(graph_of(topology)) : named;
}

}  // namespace

Metrics metrics_of(const Topology& topology) {
  Metrics metrics{.ranks = topology.ranks(), .switches = topology.nodes() - topology.ranks()};
  double lanes = 0;
  for (const LinkClass& alike : link_classes(topology)) {
    metrics.links += alike.count;
    lanes += alike.count * alike.cost.lanes;
  }
  add_distances(metrics, topology);
  metrics.bisection = bisection_of(topology);
  if (topology.links() <= most_links_looked_at) {
    add_cables(metrics, topology);
  } else {
    add_large(metrics, topology, lanes);
  }
  return metrics;
}

}  // namespace tutti
