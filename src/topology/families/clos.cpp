/// @file
/// Folded Clos networks: generalized fat trees of switches that are all alike.
///
/// A node of level l is told by two numbers. The upper one says under which switches it is: rank r is below the nodes
/// with the upper number r / (below[0] ⋯ below[l - 1]). The lower one, less than above[0] ⋯ above[l - 1], says which of
/// those nodes it is, that is, by which of the ways up it is reached: the digit added on the way up to level l + 1 is
/// the number of the cable. So a way up is a choice at each level, and a way down is none.
///
///          9       10        clos:2x3x2: ranks 0 to 5, leaves 6 to 8 and spines 9 and 10;
///        / | \   / | \      each leaf has a cable to each spine
///       6  7  8  6  7  8
///      01 23 45
///
/// The cable k above the node i of level l is its two links: 2 · (first(l) + i · above[l] + k) up, and one more down.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"
#include "topology/cuts/cut.hpp"
#include "topology/families/families.hpp"

namespace tutti {
namespace {

class Clos final : public Topology, public NamesItsCuts {
 public:
  Clos(std::string name, std::vector<int> below, std::vector<int> above)
      : name_(std::move(name)), below_(std::move(below)), above_(std::move(above)) {
    for (std::size_t l = 0; l < levels(); ++l) {
      under_.push_back(under_.back() * below_[l]);
      ways_.push_back(ways_.back() * above_[l]);
    }
    int node = 0;
    LinkId cable = 0;
    for (std::size_t l = 0; l <= levels(); ++l) {
      first_nodes_.push_back(node);
      first_cables_.push_back(cable);
      const int size = under_.back() / under_[l] * ways_[l];
      node += size;
      if (l < levels()) cable += LinkId{size} * above_[l];
    }
    nodes_ = node;
    cables_ = cable;
  }

  std::string name() const override { return name_; }
  int ranks() const override { return under_.back(); }
  int nodes() const override { return nodes_; }
  LinkId links() const override { return 2 * cables_; }

  Link link(LinkId id) const override {
    const LinkId cable = id / 2;
    std::size_t level = 0;
    while (level + 1 < levels() && cable >= first_cables_[level + 1]) ++level;
    const auto index = static_cast<int>((cable - first_cables_[level]) / above_[level]);
    const auto way = static_cast<int>((cable - first_cables_[level]) % above_[level]);
    const Node lower{index / ways_[level], index % ways_[level]};
    const Node upper{lower.upper / below_[level], lower.lower + ways_[level] * way};
    const int from = number(level, lower);
    const int to = number(level + 1, upper);
    return id % 2 == 0 ? Link{from, to} : Link{to, from};
  }

  void route(int from, int to, std::vector<LinkId>& path) const override {
    const std::size_t top = meeting_level(from, to);
    Node at{from, 0};
    for (std::size_t level = 0; level < top; ++level) {
      // The destination's digit at this level: messages to several ranks below a switch come to it over several ways.
      const int way = to / ways_[level] % above_[level];
      path.push_back(up(level, at, way));
      at = {at.upper / below_[level], at.lower + ways_[level] * way};
    }
    for (std::size_t level = top; level-- > 0;) path.push_back(down(level, at.lower, to));
  }

  int distance(int from, int to) const override { return 2 * static_cast<int>(meeting_level(from, to)); }

  void choices(int at, int to, std::vector<LinkId>& links) const override {
    std::size_t level = 0;
    while (level < levels() && at >= first_nodes_[level + 1]) ++level;
    const int index = at - first_nodes_[level];
    const Node here{index / ways_[level], index % ways_[level]};
    if (here.upper != to / under_[level]) {
      for (int way = 0; way < above_[level]; ++way) links.push_back(up(level, here, way));
    } else if (level > 0) {
      links.push_back(down(level - 1, here.lower, to));
    }
  }

  // A cut through all switches of one level costs a cable for every two that a switch below has; the least of them.
  std::optional<double> bisection() const override {
    if (ranks() == 1) return 0.0;
    double least = static_cast<double>(ranks()) * ranks();
    for (std::size_t l = 0; l < levels(); ++l) {
      if (below_[l] % 2 != 0) return std::nullopt;
      least = std::min(least, static_cast<double>(ranks()) / under_[l] * ways_[l + 1] / 2);
    }
    return least;
  }

  std::vector<LinkClass> link_classes() const override { return {{LinkCost{}, static_cast<double>(links())}}; }
  std::optional<LinkCost> cost_at_ranks() const override { return LinkCost{}; }

  // Returns the parts below the switches above the anchor, level by level; at the top several such parts beside one
  // another.
  std::vector<Cut> cuts(int anchor) const override {
    std::vector<Cut> found;
    const auto add = [&](std::int64_t size, std::function<bool(int)> inside, double cables) {
      if (size >= ranks()) return;
      found.push_back({size, std::move(inside), {{LinkCost{}, cables}}});
      found.push_back(turned(found.back(), ranks()));
    };
    for (std::size_t l = 0; l + 1 < levels(); ++l) {
      const int width = under_[l];
      add(
          width, [anchor, width](int rank) { return rank / width == anchor / width; }, ways_[l + 1]);
    }
    const int part = under_[levels() - 1];
    const int parts = below_.back();
    for (const int n : lengths_to_cut(parts)) {
      const auto inside = [first = anchor / part, part, parts, n](int rank) {
        return (rank / part - first + parts) % parts < n;
      };
      // A switch at the top stands on the side to which it has more cables.
      add(std::int64_t{n} * part, inside, static_cast<double>(std::min(n, parts - n)) * ways_.back());
    }
    return found;
  }

 private:
  struct Node {
    int upper = 0;
    int lower = 0;
  };

  std::size_t levels() const { return below_.size(); }

  int number(std::size_t level, const Node& node) const {
    return first_nodes_[level] + node.upper * ways_[level] + node.lower;
  }

  // The lowest level at which the two ranks are below the same switches.
  std::size_t meeting_level(int from, int to) const {
    std::size_t level = 0;
    while (from / under_[level] != to / under_[level]) ++level;
    return level;
  }

  LinkId up(std::size_t level, const Node& at, int way) const {
    return 2 * (first_cables_[level] + LinkId{at.upper * ways_[level] + at.lower} * above_[level] + way);
  }

  // From a node of the next level, told by its lower number, to the one of this level that is above `to`.
  LinkId down(std::size_t level, int lower, int to) const {
    const Node below{to / under_[level], lower % ways_[level]};
    return up(level, below, lower / ways_[level] % above_[level]) + 1;
  }

  std::string name_;
  std::vector<int> below_;
  std::vector<int> above_;
  std::vector<int> under_{1};  // by level: how many ranks are below a node
  std::vector<int> ways_{1};   // by level: how many nodes are above the same ranks
  std::vector<int> first_nodes_;
  std::vector<LinkId> first_cables_;
  int nodes_ = 0;
  LinkId cables_ = 0;
};

}  // namespace

TopologyPtr clos_topology(const std::vector<int>& below, const std::vector<int>& above) {
  require(!below.empty() && below.size() == above.size() && above.front() == 1,
          "a Clos network has sizes for each of its levels, and ranks have one switch each");
  double most = 1;
  for (std::size_t l = 0; l < below.size(); ++l) {
    require(below[l] >= 1 && above[l] >= 1, "each size of a Clos network is at least 1, not {}",
            std::min(below[l], above[l]));
    most *= static_cast<double>(std::max(below[l], above[l]));
  }
  require(most <= 1 << 24, "a Clos network of these sizes has too many ranks or switches: {}", fmt::join(below, " x "));
  const std::vector<int> switches(above.begin() + 1, above.end());
  const std::string sizes = fmt::format("{}", fmt::join(below, "x"));
  const std::string name =
      switches.empty() ? fmt::format("clos:{}", sizes) : fmt::format("clos:{}x{}", sizes, fmt::join(switches, "x"));
  return std::make_shared<Clos>(name, below, above);
}

}  // namespace tutti
