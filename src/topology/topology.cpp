#include "topology/topology.hpp"

#include <algorithm>

namespace tutti {

std::string_view name_of(Forwarding forwarding) { return forwarding == Forwarding::ranks ? "ranks" : "hardware"; }

std::vector<LinkId> route_of(const Topology& topology, int from, int to) {
  std::vector<LinkId> path;
  topology.route(from, to, path);
  return path;
}

int Topology::distance(int from, int to) const { return static_cast<int>(route_of(*this, from, to).size()); }

std::optional<double> Topology::bisection() const { return std::nullopt; }

bool leads_somewhere(const Topology& topology, LinkId id) {
  const Link link = topology.link(id);
  if (link.from == link.to) return false;
  if (std::max(link.from, link.to) >= topology.ranks()) return true;
  return topology.distance(link.from, link.to) == 1 && route_of(topology, link.from, link.to).front() == id;
}

int diameter(const Topology& topology) {
  int farthest = 0;
  for (int a = 0; a < topology.ranks(); ++a) {
    for (int b = 0; b < topology.ranks(); ++b) farthest = std::max(farthest, topology.distance(a, b));
  }
  return farthest;
}

double mean_distance(const Topology& topology) {
  const double p = topology.ranks();
  if (p < 2) return 0;
  double sum = 0;
  for (int a = 0; a < topology.ranks(); ++a) {
    for (int b = 0; b < topology.ranks(); ++b) sum += topology.distance(a, b);
  }
  return sum / (p * (p - 1));
}

}  // namespace tutti
