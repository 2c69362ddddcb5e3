#include "schedule/model/layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti {

namespace {

/// Gives nodes new numbers from 0 on, in the order in which they are met.
class NodeNumbers {
 public:
  int of(int node) {
    // Ranks of a node mostly follow one another.
    if (node != last_) {
      last_ = node;
      number_ = numbers_.try_emplace(node, size()).first->second;
    }
    return number_;
  }
  int size() const { return static_cast<int>(numbers_.size()); }

 private:
  std::map<int, int> numbers_;
  int last_ = -1;
  int number_ = -1;  // number of that location
};

}  // namespace

Layout::Layout(std::vector<Location> locations) : locations_(std::move(locations)) {
  NodeNumbers numbers;
  for (Location& location : locations_) {
    require(location.node >= 0, "nodes are numbered from 0; {} is none", location.node);
    location.node = numbers.of(location.node);
  }
  if (!locations_.empty()) nodes_ = numbers.size();
  sort_by_node();
}

void Layout::sort_by_node() {
  begins_.assign(static_cast<std::size_t>(nodes_) + 1, 0);
  by_node_.resize(locations_.size());
  if (nodes_ == 1) {
    std::iota(by_node_.begin(), by_node_.end(), 0);
    begins_.back() = size();
    return;
  }
  for (const Location& location : locations_) ++begins_[static_cast<std::size_t>(location.node) + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<int> next(begins_.begin(), begins_.end() - 1);
  for (int rank = 0; rank < size(); ++rank) {
    by_node_[static_cast<std::size_t>(next[static_cast<std::size_t>(node_of(rank))]++)] = rank;
  }
  consecutive_ = std::is_sorted(by_node_.begin(), by_node_.end());
}

int Layout::on_fullest_node(int ranks) const {
  if (nodes_ == 1) return ranks;
  std::size_t most = 0;
  for (int node = 0; node < nodes_; ++node) most = std::max(most, ranks_on(node).size());
  return static_cast<int>(most);
}

Layout Layout::outermost_level() const {
  if (nodes_ > 1) return *this;
  const auto over = [&](int Location::*part) {
    const auto is_unknown = [&](const Location& location) { return location.*part < 0; };
    if (std::any_of(locations_.begin(), locations_.end(), is_unknown)) return Layout();
    std::vector<Location> parts;
    parts.reserve(locations_.size());
    for (const Location& location : locations_) parts.push_back({.node = location.*part});
    return Layout(std::move(parts));
  };
  Layout domains = over(&Location::domain);
  return domains.nodes() > 1 ? domains : over(&Location::core);
}

Layout Layout::of_nodes(std::span<const int> ranks_on) {
  std::vector<Location> locations;
  for (std::size_t node = 0; node < ranks_on.size(); ++node) {
    require(ranks_on[node] >= 1, "a node has at least one rank, not {}", ranks_on[node]);
    locations.insert(locations.end(), static_cast<std::size_t>(ranks_on[node]), {.node = static_cast<int>(node)});
  }
  return Layout(std::move(locations));
}

std::vector<std::vector<int>> Layout::ranks_by_node(int ranks) const {
  std::vector<std::vector<int>> on(static_cast<std::size_t>(nodes_));
  for (int rank = 0; rank < ranks; ++rank) on[static_cast<std::size_t>(node_of(rank))].push_back(rank);
  return on;
}

Layout Layout::of(std::span<const int> ranks) const {
  if (locations_.empty()) return {};
  std::vector<Location> locations;
  locations.reserve(ranks.size());
  for (const int rank : ranks) locations.push_back(location(rank));
  return Layout(std::move(locations));
}

void check(const Layout& layout, int ranks) {
  require(layout.size() == 0 || layout.size() == ranks, "a layout of {} ranks is none of {} ranks", layout.size(),
          ranks);
}

std::string describe(const Layout& layout, int ranks) {
  if (layout.nodes() == 1) return counted(ranks, "rank") + " on one node";
  std::vector<std::size_t> sizes;
  for (const auto& on : layout.ranks_by_node(ranks)) sizes.push_back(on.size());
  if (std::count(sizes.begin(), sizes.end(), sizes.front()) == std::ssize(sizes))
    return fmt::format("{} ranks on {} nodes of {}", ranks, layout.nodes(), sizes.front());
  return fmt::format("{} ranks on {} nodes", fmt::join(sizes, " + "), layout.nodes());
}

}  // namespace tutti
