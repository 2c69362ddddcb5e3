#include "topology/embedding.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "topology/cuts/cut.hpp"

namespace tutti {
namespace {

class Embedded final : public Topology, public NamesItsCuts {
 public:
  Embedded(TopologyPtr network, std::vector<int> places) : network_(std::move(network)), places_(std::move(places)) {
    ranks_.resize(places_.size());
    for (std::size_t rank = 0; rank < places_.size(); ++rank)
      ranks_[static_cast<std::size_t>(places_[rank])] = static_cast<int>(rank);
  }

  std::string name() const override { return network_->name() + " (embedded)"; }
  int ranks() const override { return network_->ranks(); }
  int nodes() const override { return network_->nodes(); }
  LinkId links() const override { return network_->links(); }
  bool uniform() const override { return network_->uniform(); }
  bool dedicated() const override { return network_->dedicated(); }
  std::optional<double> usual_tw() const override { return network_->usual_tw(); }
  Forwarding forwarding() const override { return network_->forwarding(); }
  std::optional<double> bisection() const override { return network_->bisection(); }

  Link link(LinkId id) const override {
    Link link = network_->link(id);
    link.from = rank_at(link.from);
    link.to = rank_at(link.to);
    return link;
  }
  void route(int from, int to, std::vector<LinkId>& path) const override {
    network_->route(place(from), place(to), path);
  }
  int distance(int from, int to) const override { return network_->distance(place(from), place(to)); }
  void choices(int at, int to, std::vector<LinkId>& links) const override {
    network_->choices(place(at), place(to), links);
  }

  std::vector<LinkClass> link_classes() const override { return tutti::link_classes(*network_); }
  std::optional<LinkCost> cost_at_ranks() const override { return tutti::cost_at_ranks(*network_); }
  std::vector<Cut> cuts(int anchor) const override {
    std::vector<Cut> found = tutti::cuts(*network_, place(anchor));
    for (Cut& cut : found) {
      cut.inside = [inside = cut.inside, places = places_](int rank) {
        return inside(places[static_cast<std::size_t>(rank)]);
      };
    }
    return found;
  }

 private:
  int place(int node) const { return node < ranks() ? places_[static_cast<std::size_t>(node)] : node; }
  int rank_at(int node) const { return node < ranks() ? ranks_[static_cast<std::size_t>(node)] : node; }

  TopologyPtr network_;
  std::vector<int> places_;
  std::vector<int> ranks_;
};

}  // namespace

TopologyPtr embedded(TopologyPtr network, std::vector<int> places) {
  require(static_cast<int>(places.size()) == network->ranks(), "an embedding into {} names {} places, not {}",
          network->name(), network->ranks(), places.size());
  std::vector<bool> taken(places.size());
  for (const int place : places) {
    require(place >= 0 && place < network->ranks(), "the place {} is not one of the ranks 0 to {}", place,
            network->ranks() - 1);
    require(!taken[static_cast<std::size_t>(place)], "the place {} is given to two ranks", place);
    taken[static_cast<std::size_t>(place)] = true;
  }
  return std::make_shared<Embedded>(std::move(network), std::move(places));
}

std::vector<int> ring_in_hypercube(int dimensions) { return mesh_in_hypercube(Shape{1 << dimensions}); }

std::vector<int> mesh_in_hypercube(const Shape& shape) {
  std::vector<int> places(static_cast<std::size_t>(shape.size()));
  for (int rank = 0; rank < shape.size(); ++rank) {
    int place = 0;
    for (int d = 0; d < shape.dimensions(); ++d) {
      require(is_power_of_two(shape.extent(d)),
              "a mesh fits a hypercube by Gray codes if its extents are powers of two; {} is not", shape.extent(d));
      place = place << ceil_log2(shape.extent(d)) | gray_code(shape.coordinate(rank, d));
    }
    places[static_cast<std::size_t>(rank)] = place;
  }
  return places;
}

std::vector<int> line_in_grid(const Shape& shape) {
  std::vector<int> places(static_cast<std::size_t>(shape.size()));
  for (int rank = 0; rank < shape.size(); ++rank) {
    // A line runs backwards where the lines before it, one level up, are odd in number.
    int place = 0;
    int before = 0;
    for (int d = 0; d < shape.dimensions(); ++d) {
      const int along = shape.coordinate(rank, d);
      place += (before % 2 == 0 ? along : shape.extent(d) - 1 - along) * shape.stride(d);
      before = before * shape.extent(d) + along;
    }
    places[static_cast<std::size_t>(rank)] = place;
  }
  return places;
}

}  // namespace tutti
