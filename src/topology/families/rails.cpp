/// @file
/// Nodes of GPUs on NVSwitch, joined by rails.
///
///     rail switches   R0    R1    R2          node n, GPU g is rank n · gpus + g; its four links are
///                     |     |     |           4 · rank to the NVSwitch and + 1 back,
///     node 0          0     1     2           + 2 to rail g and + 3 back
///                      \    |    /
///                       NVSwitch 0
///
/// Nodes of the graph are the GPUs, the NVSwitches, then the rails. To another rail of another node a message goes over
/// the GPU of that rail in its own node (NCCL calls that PXN), or over its own rail and the NVSwitch there: both ways
/// are as long, and the first is the route.

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "topology/cuts/cut.hpp"
#include "topology/families/families.hpp"

namespace tutti {
namespace {

constexpr double switch_lanes = 18;       // NVLinks of an H100
constexpr double card_lanes = 2;          // 400 Gbit/s
constexpr double nvlink_byte = 1 / 25e9;  // seconds

class Rails final : public Topology, public NamesItsCuts {
 public:
  Rails(int nodes, int gpus) : count_(nodes), gpus_(gpus) {}

  std::string name() const override { return fmt::format("rails:{}x{}", count_, gpus_); }
  int ranks() const override { return count_ * gpus_; }
  int nodes() const override { return ranks() + count_ + gpus_; }
  LinkId links() const override { return LinkId{4} * ranks(); }
  bool uniform() const override { return false; }
  std::optional<double> usual_tw() const override { return nvlink_byte; }
  Forwarding forwarding() const override { return Forwarding::ranks; }

  Link link(LinkId id) const override {
    const auto rank = static_cast<int>(id / 4);
    const bool card = id % 4 >= 2;
    const int there = card ? rail_of(rank) : switch_of(rank);
    const LinkCost cost = card ? card_cost() : switch_cost();
    return id % 2 == 0 ? Link{rank, there, cost} : Link{there, rank, cost};
  }

  void route(int from, int to, std::vector<LinkId>& path) const override {
    if (from == to) return;
    const int target = to % gpus_;
    int at = from;
    if (node_of(from) == node_of(to)) return over_switch(at, to, path);
    if (at % gpus_ != target) {
      const int neighbour = node_of(from) * gpus_ + target;
      over_switch(at, neighbour, path);
      at = neighbour;
    }
    path.push_back(LinkId{4} * at + 2);
    path.push_back(LinkId{4} * to + 3);
  }

  int distance(int from, int to) const override {
    if (from == to) return 0;
    return node_of(from) == node_of(to) || from % gpus_ == to % gpus_ ? 2 : 4;
  }

  void choices(int at, int to, std::vector<LinkId>& links) const override {
    if (at == to) return;
    if (at < ranks()) {
      if (node_of(at) == node_of(to) || at % gpus_ != to % gpus_) links.push_back(LinkId{4} * at);
      if (node_of(at) != node_of(to)) links.push_back(LinkId{4} * at + 2);
    } else if (at < ranks() + count_) {
      const int node = at - ranks();
      links.push_back(LinkId{4} * (node == node_of(to) ? to : node * gpus_ + to % gpus_) + 1);
    } else {
      const int rail = at - ranks() - count_;
      links.push_back(LinkId{4} * (rail == to % gpus_ ? to : node_of(to) * gpus_ + rail) + 3);
    }
  }

  // Half the nodes on either side: of each rail half the cards.
  std::optional<double> bisection() const override {
    if (count_ % 2 != 0) return std::nullopt;
    return card_lanes * gpus_ * count_ / 2;
  }

  std::vector<LinkClass> link_classes() const override {
    return {{switch_cost(), 2.0 * ranks()}, {card_cost(), 2.0 * ranks()}};
  }
  std::optional<LinkCost> cost_at_ranks() const override { return std::nullopt; }

  // The anchor itself, and the nodes from its own on.
  std::vector<Cut> cuts(int anchor) const override {
    std::vector<Cut> found;
    const auto add = [&](std::int64_t size, std::function<bool(int)> inside, std::vector<LinkClass> links) {
      found.push_back({size, std::move(inside), std::move(links)});
      found.push_back(turned(found.back(), ranks()));
    };
    add(1, [anchor](int rank) { return rank == anchor; }, {{switch_cost(), 1}, {card_cost(), 1}});
    for (const int n : lengths_to_cut(count_)) {
      const auto inside = [first = node_of(anchor), each = gpus_, all = count_, n](int rank) {
        return modulo(rank / each - first, all) < n;
      };
      const double cards = static_cast<double>(std::min(n, count_ - n)) * gpus_;
      add(std::int64_t{n} * gpus_, inside, {{card_cost(), cards}});
    }
    return found;
  }

 private:
  static LinkCost switch_cost() { return {.lanes = switch_lanes}; }
  static LinkCost card_cost() { return {.lanes = card_lanes}; }

  int node_of(int rank) const { return rank / gpus_; }
  int switch_of(int rank) const { return ranks() + node_of(rank); }
  int rail_of(int rank) const { return ranks() + count_ + rank % gpus_; }

  static void over_switch(int from, int to, std::vector<LinkId>& path) {
    path.push_back(LinkId{4} * from);
    path.push_back(LinkId{4} * to + 1);
  }

  int count_;
  int gpus_;
};

}  // namespace

TopologyPtr rails_topology(int nodes, int gpus) {
  require(nodes >= 2 && gpus >= 2,
          "rails join at least 2 nodes of at least 2 GPUs, not {} of {}; one node is nvswitch:8", nodes, gpus);
  require(static_cast<std::int64_t>(nodes) * gpus <= 1 << 24, "rails:{}x{} has more than 2^24 ranks", nodes, gpus);
  return std::make_shared<Rails>(nodes, gpus);
}

}  // namespace tutti
