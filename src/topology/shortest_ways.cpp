#include "topology/shortest_ways.hpp"

#include <algorithm>

namespace tutti {
namespace {

void extend(const Topology& topology, int at, int to, LinkPath& way, std::vector<LinkPath>& found) {
  if (at == to) {
    found.push_back(way);
    return;
  }
  std::vector<LinkId> links;
  topology.choices(at, to, links);
  for (const LinkId link : links) {
    way.push_back(link);
    extend(topology, topology.link(link).to, to, way, found);
    way.pop_back();
  }
}

class Rerouted final : public Topology {
 public:
  Rerouted(TopologyPtr network, std::vector<Detour> detours)
      : network_(std::move(network)), detours_(std::move(detours)) {}

  std::string name() const override { return network_->name() + " (rerouted)"; }
  int ranks() const override { return network_->ranks(); }
  int nodes() const override { return network_->nodes(); }
  LinkId links() const override { return network_->links(); }
  bool uniform() const override { return network_->uniform(); }
  Link link(LinkId id) const override { return network_->link(id); }
  void choices(int at, int to, std::vector<LinkId>& links) const override { network_->choices(at, to, links); }
  std::optional<double> bisection() const override { return network_->bisection(); }

  void route(int from, int to, std::vector<LinkId>& path) const override {
    const auto detour =
        std::find_if(detours_.begin(), detours_.end(), [&](const Detour& d) { return d.from == from && d.to == to; });
    if (detour == detours_.end()) return network_->route(from, to, path);
    path.insert(path.end(), detour->way.begin(), detour->way.end());
  }

 private:
  TopologyPtr network_;
  std::vector<Detour> detours_;
};

}  // namespace

std::vector<LinkPath> shortest_ways(const Topology& topology, int from, int to) {
  std::vector<LinkPath> found;
  LinkPath way;
  extend(topology, from, to, way, found);
  return found;
}

TopologyPtr rerouted(TopologyPtr network, std::vector<Detour> detours) {
  return std::make_shared<Rerouted>(std::move(network), std::move(detours));
}

}  // namespace tutti
