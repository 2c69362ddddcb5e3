#include "synthesize/routes.hpp"

#include <algorithm>
#include <numeric>

#include "synthesize/forest.hpp"

namespace tutti::synthesize {

std::vector<Way> own_ways(const Topology& topology, bool turned) {
  std::vector<Way> ways;
  std::vector<LinkId> path;
  for (int step = 1; step < topology.ranks(); ++step) {
    for (int from = 0; from < topology.ranks(); ++from) {
      path.clear();
      topology.route(from, (from + step) % topology.ranks(), path);
      Way way{from};
      for (const LinkId id : path) way.push_back(topology.link(id).to);
      if (turned) std::reverse(way.begin(), way.end());
      if (way.size() > 2) ways.push_back(std::move(way));
    }
  }
  std::stable_sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.size() < b.size(); });
  return ways;
}

namespace {

// By link.
std::vector<std::int64_t> carried_by_routes(const Forest& forest, const Topology& topology, bool turned) {
  std::vector<std::int64_t> parts(static_cast<std::size_t>(topology.links()));
  std::vector<LinkId> path;
  for (const Tree& tree : forest.trees) {
    for (const TreeEdge& edge : tree.edges) {
      path.clear();
      topology.route(turned ? edge.to : edge.from, turned ? edge.from : edge.to, path);
      for (const LinkId id : path) parts[static_cast<std::size_t>(id)] += tree.parts;
    }
  }
  return parts;
}

}  // namespace

std::int64_t parts_by_routes(const Forest& forest, const Topology& topology, bool turned) {
  const std::vector<std::int64_t> parts = carried_by_routes(forest, topology, turned);
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
}

double time_by_routes(const Forest& forest, const Topology& topology, const Machine& machine, bool turned) {
  const std::vector<std::int64_t> parts = carried_by_routes(forest, topology, turned);
  double longest = 0;
  for (LinkId id = 0; id < topology.links(); ++id) {
    const std::int64_t carried = parts[static_cast<std::size_t>(id)];
    if (carried > 0) longest = std::max(longest, static_cast<double>(carried) * link_time(machine, topology, id));
  }
  return longest / static_cast<double>(forest.each);
}

Forest stars(int ranks) {
  Forest forest;
  for (int root = 0; root < ranks; ++root) {
    Tree tree{.root = root, .parts = 1, .edges = {}};
    for (int step = 1; step < ranks; ++step) tree.edges.push_back({root, (root + step) % ranks, 1});
    forest.trees.push_back(std::move(tree));
  }
  return forest;
}

Forest rings(int ranks) {
  const int trees = ranks % 2 == 0 ? 2 : 1;
  Forest forest{.trees = {}, .each = trees};
  for (int root = 0; root < ranks; ++root) {
    for (int k = 0; k < trees; ++k) {
      Tree tree{.root = root, .parts = 1, .edges = {}};
      const auto add_arm = [&](int step, int length) {
        for (int depth = 1; depth <= length; ++depth) {
          const int to = (root + depth * step + depth * ranks) % ranks;
          tree.edges.push_back({(to - step + ranks) % ranks, to, depth});
        }
      };
      add_arm(1, (ranks - 1 + k) / 2);
      add_arm(-1, (ranks - k) / 2);
      forest.trees.push_back(std::move(tree));
    }
  }
  return forest;
}

}  // namespace tutti::synthesize
