/// @file
/// Fully connected ranks: link a · p + b goes from a to b. Nothing is stored, so a million ranks cost nothing.

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "topology/cuts/cut.hpp"
#include "topology/families/families.hpp"

namespace tutti {
namespace {

class Full final : public Topology, public NamesItsCuts {
 public:
  explicit Full(int ranks) : ranks_(ranks) {}

  std::string name() const override { return fmt::format("full:{}", ranks_); }
  int ranks() const override { return ranks_; }
  LinkId links() const override { return LinkId{ranks_} * ranks_; }
  Link link(LinkId id) const override {
    return {.from = static_cast<int>(id / ranks_), .to = static_cast<int>(id % ranks_)};
  }
  void route(int from, int to, std::vector<LinkId>& path) const override {
    if (from != to) path.push_back(LinkId{from} * ranks_ + to);
  }
  int distance(int from, int to) const override { return from == to ? 0 : 1; }
  void choices(int at, int to, std::vector<LinkId>& links) const override { route(at, to, links); }
  bool dedicated() const override { return true; }
  std::optional<double> bisection() const override {
    return static_cast<double>(ranks_ / 2) * static_cast<double>(ranks_ - ranks_ / 2);
  }

  std::vector<LinkClass> link_classes() const override { return {{LinkCost{}, pairs(ranks_, ranks_ - 1)}}; }
  std::optional<LinkCost> cost_at_ranks() const override { return LinkCost{}; }
  std::vector<Cut> cuts(int anchor) const override {
    std::vector<Cut> found;
    for (const int size : lengths_to_cut(ranks_)) {
      const auto inside = [anchor, size, p = ranks_](int rank) { return modulo(rank - anchor, p) < size; };
      found.push_back({size, inside, {{LinkCost{}, pairs(size, ranks_ - size)}}});
      found.push_back(turned(found.back(), ranks_));
    }
    return found;
  }

 private:
  static double pairs(int a, int b) { return static_cast<double>(a) * b; }

  int ranks_;
};

}  // namespace

TopologyPtr full_topology(int ranks) {
  require(ranks >= 1, "a network needs at least one rank, not {}", ranks);
  return std::make_shared<Full>(ranks);
}

}  // namespace tutti
