/// @file
/// The hypercube: link (r, b) joins rank r to r with bit b changed.

#include <fmt/format.h>

#include <bit>

#include "base/check.hpp"
#include "topology/cuts/cut.hpp"
#include "topology/families/families.hpp"

namespace tutti {
namespace {

class Hypercube final : public Topology, public NamesItsCuts {
 public:
  explicit Hypercube(int dimensions) : dimensions_(dimensions) {}

  std::string name() const override { return fmt::format("hypercube:{}", dimensions_); }
  int ranks() const override { return 1 << dimensions_; }
  LinkId links() const override { return LinkId{ranks()} * dimensions_; }

  Link link(LinkId id) const override {
    const int from = static_cast<int>(id / dimensions_);
    return {.from = from, .to = from ^ (1 << static_cast<int>(id % dimensions_))};
  }

  void route(int from, int to, std::vector<LinkId>& path) const override {
    while (from != to) {
      const int bit = std::countr_zero(static_cast<unsigned>(from ^ to));
      path.push_back(LinkId{from} * dimensions_ + bit);
      from ^= 1 << bit;
    }
  }

  int distance(int from, int to) const override { return std::popcount(static_cast<unsigned>(from ^ to)); }

  void choices(int at, int to, std::vector<LinkId>& links) const override {
    for (unsigned bits = static_cast<unsigned>(at ^ to); bits != 0; bits &= bits - 1) {
      links.push_back(LinkId{at} * dimensions_ + std::countr_zero(bits));
    }
  }

  std::optional<double> bisection() const override { return dimensions_ == 0 ? 0.0 : ranks() / 2.0; }

  std::vector<LinkClass> link_classes() const override { return {{LinkCost{}, static_cast<double>(links())}}; }
  std::optional<LinkCost> cost_at_ranks() const override { return LinkCost{}; }

  // Subcubes: the ranks that agree with the anchor in all but the lowest bits.
  std::vector<Cut> cuts(int anchor) const override {
    std::vector<Cut> found;
    for (int bits = 0; bits < dimensions_; ++bits) {
      const std::int64_t size = std::int64_t{1} << bits;
      const auto inside = [anchor, bits](int rank) { return rank >> bits == anchor >> bits; };
      found.push_back({size, inside, {{LinkCost{}, static_cast<double>(size * (dimensions_ - bits))}}});
      found.push_back(turned(found.back(), ranks()));
    }
    return found;
  }

 private:
  int dimensions_;
};

}  // namespace

TopologyPtr hypercube_topology(int dimensions) {
  require(dimensions >= 0 && dimensions <= 30, "a hypercube has 0 to 30 dimensions, not {}", dimensions);
  return std::make_shared<Hypercube>(dimensions);
}

}  // namespace tutti
