#include "topology/cuts/cut.hpp"

#include <algorithm>

namespace tutti {

Cut turned(const Cut& cut, int ranks) {
  return {ranks - cut.size, [inside = cut.inside](int rank) { return !inside(rank); }, cut.links};
}

void add_links(std::vector<LinkClass>& classes, const LinkCost& cost, double count) {
  if (count <= 0) return;
  const auto same =
      std::find_if(classes.begin(), classes.end(), [&](const LinkClass& known) { return known.cost == cost; });
  if (same != classes.end()) {
    same->count += count;
  } else {
    classes.push_back({cost, count});
  }
}

std::vector<LinkClass> link_classes(const Topology& topology) {
  if (const auto* family = dynamic_cast<const NamesItsCuts*>(&topology)) return family->link_classes();
  if (topology.uniform()) return {{LinkCost{}, static_cast<double>(topology.links())}};
  std::vector<LinkClass> classes;
  for (LinkId id = 0; id < topology.links(); ++id) add_links(classes, topology.link(id).cost, 1);
  return classes;
}

std::optional<LinkCost> cost_at_ranks(const Topology& topology) {
  if (const auto* family = dynamic_cast<const NamesItsCuts*>(&topology)) return family->cost_at_ranks();
  return topology.uniform() ? std::optional(LinkCost{}) : std::nullopt;
}

std::vector<Cut> cuts(const Topology& topology, int anchor) {
  const auto* family = dynamic_cast<const NamesItsCuts*>(&topology);
  return family ? family->cuts(anchor) : std::vector<Cut>{};
}

std::vector<int> lengths_to_cut(int extent) {
  constexpr int most_lengths = 64;
  std::vector<int> lengths;
  if (extent <= most_lengths) {
    for (int length = 1; length < extent; ++length) lengths.push_back(length);
    return lengths;
  }
  for (std::int64_t length = 1; length < extent; length *= 2) lengths.push_back(static_cast<int>(length));
  for (const int length : {extent / 2, extent - extent / 2, extent - 1}) lengths.push_back(length);
  return lengths;
}

}  // namespace tutti
