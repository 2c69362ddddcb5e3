/// @file
/// Trees of switches with the ranks at the leaves: complete trees, fat trees, and the star as a tree of one level.
///
/// Level 0 are the ranks, level L the root switch. The node i of level l has the parent i / arity of level l + 1. The
/// cable above a node is its two links: 2 · node up, 2 · node + 1 down.

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"
#include "topology/cuts/cut.hpp"
#include "topology/families/families.hpp"

namespace tutti {
namespace {

class TreeNetwork final : public Topology, public NamesItsCuts {
 public:
  // Levels of `sizes` nodes, the ranks first and the root last.
  // A link has `growth` times the lanes of the one below it.
  TreeNetwork(std::string name, int arity, std::vector<int> sizes, double growth)
      : name_(std::move(name)), arity_(arity), growth_(growth), sizes_(std::move(sizes)) {
    int first = 0;
    for (const int size : sizes_) {
      firsts_.push_back(first);
      first += size;
    }
    nodes_ = first;
  }

  std::string name() const override { return name_; }
  int ranks() const override { return sizes_.front(); }
  int nodes() const override { return nodes_; }
  LinkId links() const override { return LinkId{2} * (nodes_ - 1); }

  Link link(LinkId id) const override {
    const int child = static_cast<int>(id / 2);
    const std::size_t level = level_of(child);
    const int parent = firsts_[level + 1] + (child - firsts_[level]) / arity_;
    const LinkCost cost = cost_above(level);
    return id % 2 == 0 ? Link{child, parent, cost} : Link{parent, child, cost};
  }

  void route(int from, int to, std::vector<LinkId>& path) const override {
    std::size_t top = 0;
    for (int a = from, b = to; a != b; a /= arity_, b /= arity_) {
      path.push_back(LinkId{2} * (firsts_[top++] + a));
    }
    for (std::size_t level = top; level-- > 0;) {
      int node = to;
      for (std::size_t up = 0; up < level; ++up) node /= arity_;
      path.push_back(LinkId{2} * (firsts_[level] + node) + 1);
    }
  }

  int distance(int from, int to) const override {
    int levels = 0;
    for (; from != to; from /= arity_, to /= arity_) ++levels;
    return 2 * levels;
  }

  bool uniform() const override { return growth_ == 1; }

  // A tree has one way only.
  void choices(int at, int to, std::vector<LinkId>& links) const override {
    const std::size_t level = level_of(at);
    const int index = at - firsts_[level];
    int below = to;
    for (std::size_t up = 0; up + 1 < level; ++up) below /= arity_;
    const int ancestor = level == 0 ? below : below / arity_;
    if (ancestor != index) {
      links.push_back(LinkId{2} * at);
    } else if (level > 0) {
      links.push_back(LinkId{2} * (firsts_[level - 1] + below) + 1);
    }
  }

  // The root's children are the halves that one cut parts most cheaply; with an odd number of them one is cut further.
  std::optional<double> bisection() const override {
    if (ranks() == 1) return 0.0;
    if (sizes_.size() == 2) return ranks() / 2;
    if (arity_ % 2 != 0) return std::nullopt;
    return link(LinkId{2} * firsts_[sizes_.size() - 2]).cost.lanes * arity_ / 2;
  }

  std::vector<LinkClass> link_classes() const override {
    std::vector<LinkClass> classes;
    for (std::size_t level = 0; level + 1 < sizes_.size(); ++level)
      add_links(classes, cost_above(level), 2.0 * sizes_[level]);
    return classes;
  }
  std::optional<LinkCost> cost_at_ranks() const override { return cost_above(0); }

  // The subtrees around the anchor.
  std::vector<Cut> cuts(int anchor) const override {
    std::vector<Cut> found;
    std::int64_t width = 1;
    for (std::size_t level = 0; level + 1 < sizes_.size() && width < ranks(); ++level, width *= arity_) {
      const auto inside = [anchor, width](int rank) { return rank / width == anchor / width; };
      found.push_back({width, inside, {{cost_above(level), 1}}});
      found.push_back(turned(found.back(), ranks()));
    }
    return found;
  }

 private:
  LinkCost cost_above(std::size_t level) const { return {.lanes = std::pow(growth_, static_cast<double>(level))}; }

  std::size_t level_of(int node) const {
    std::size_t level = 0;
    while (level + 1 < firsts_.size() && node >= firsts_[level + 1]) ++level;
    return level;
  }

  std::string name_;
  int arity_;
  double growth_;
  std::vector<int> sizes_;
  std::vector<int> firsts_;
  int nodes_ = 0;
};

std::vector<int> sizes_of(int arity, int levels) {
  require(arity >= 2, "a switch of a tree has at least 2 children, not {}", arity);
  require(levels >= 0, "a tree has at least 0 levels of switches, not {}", levels);
  require(levels * std::log2(arity) <= 29, "a tree of arity {} and {} levels has too many ranks", arity, levels);
  std::vector<int> sizes{1};
  for (int level = 0; level < levels; ++level) sizes.insert(sizes.begin(), sizes.front() * arity);
  return sizes;
}

}  // namespace

TopologyPtr star_topology(int ranks) {
  require(ranks >= 1, "a network needs at least one rank, not {}", ranks);
  return std::make_shared<TreeNetwork>(fmt::format("star:{}", ranks), ranks, std::vector<int>{ranks, 1}, 1);
}

TopologyPtr tree_topology(int arity, int levels) {
  const std::vector<int> sizes = sizes_of(arity, levels);
  return std::make_shared<TreeNetwork>(fmt::format("tree:{}", sizes.front()), arity, sizes, 1);
}

TopologyPtr fat_tree_topology(int arity, int levels, int taper) {
  const std::vector<int> sizes = sizes_of(arity, levels);
  require(taper >= 1 && taper <= arity, "a fat tree of arity {} tapers by 1 to {} a level, not by {}", arity, arity,
          taper);
  const std::string name = fmt::format("fat-tree:{}x{}{}", arity, levels, taper == 1 ? "" : fmt::format("x{}", taper));
  return std::make_shared<TreeNetwork>(name, arity, sizes, static_cast<double>(arity) / taper);
}

}  // namespace tutti
