#include "synthesize/routes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

Tree star(int ranks, int root) {
  Tree tree{.root = root, .parts = 1, .edges = {}};
  for (int step = 1; step < ranks; ++step) tree.edges.push_back({root, (root + step) % ranks, 1});
  return tree;
}

Forest stars(int ranks) {
  Forest forest;
  for (int root = 0; root < ranks; ++root) forest.trees.push_back(star(ranks, root));
  return forest;
}

namespace {

/// The grid of ranks round which ways lead: `dimensions` of `extent` each, the ranks of a line `stride` apart.
struct Grid {
  int extent = 1;
  int dimensions = 1;

  int stride(int dimension) const {
    int ranks = 1;
    while (dimension-- > 0) ranks *= extent;
    return ranks;
  }
  int next(int rank, int dimension, int step) const {
    const int place = rank / stride(dimension) % extent;
    return rank + ((place + step + extent) % extent - place) * stride(dimension);
  }
};

// `longer`: whether ways up are the longer ones, of which lines of an even extent have one.
Tree way_round(const Grid& grid, int root, int first, bool longer) {
  Tree tree{.root = root, .parts = 1, .edges = {}};
  std::vector<std::pair<int, int>> reached{{root, 0}};  // and how deep
  for (int turn = 0; turn < grid.dimensions; ++turn) {
    const int dimension = (first + turn) % grid.dimensions;
    for (const auto& [from, depth] : std::vector(reached)) {
      for (const int step : {1, -1}) {
        const int length = (grid.extent - ((step > 0) == longer ? 0 : 1)) / 2;
        int last = from;
        for (int k = 1; k <= length; ++k) {
          const int to = grid.next(last, dimension, step);
          tree.edges.push_back({last, to, depth + k});
          reached.emplace_back(to, depth + k);
          last = to;
        }
      }
    }
  }
  return tree;
}

}  // namespace

Forest ways_round(int extent, int dimensions) {
  const Grid grid{extent, dimensions};
  const int ranks = grid.stride(dimensions);
  const bool both = extent % 2 == 0 && extent > 2;
  Forest forest{.trees = {}, .each = both ? 2 * dimensions : dimensions};
  for (int root = 0; root < ranks; ++root) {
    for (int first = 0; first < dimensions; ++first) {
      forest.trees.push_back(way_round(grid, root, first, true));
      if (both) forest.trees.push_back(way_round(grid, root, first, false));
    }
  }
  return forest;
}

}  // namespace tutti::synthesize
