#include "synthesize/trees/forest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "topology/machine.hpp"
#include "topology/topology.hpp"

namespace tutti::synthesize {
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

/// The grid of ranks round which ways lead: `dimensions` of `extent` each, the ranks of a line `stride` apart.
struct RankGrid {
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
Tree way_round(const RankGrid& grid, int root, int first, bool longer) {
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

void visit_shared_trees(const SynthesisRequest& wish, int ranks, const std::function<void(Forest)>& visit) {
  for (int trees = 2; trees <= wish.most_trees; trees *= 2) {
    // By a network's routes messages of some orders meet, and of others they do not.
    for (int order = 1; order <= trees; ++order) {
      if (auto forest = shared_trees(ranks, wish.root, (wish.root + order) % ranks, trees)) visit(std::move(*forest));
    }
  }
}

// Twice as many trees, and at last one for each rank beside the root.
int next_of(int trees, int ranks) { return trees == ranks - 1 ? ranks : std::min(2 * trees, ranks - 1); }

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

Forest ways_round(int extent, int dimensions) {
  const RankGrid grid{extent, dimensions};
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

void visit_known_forests(const SynthesisRequest& wish, int ranks, const std::function<void(Forest)>& visit) {
  if (has_root(wish.collective)) return visit_shared_trees(wish, ranks, visit);
  visit(stars(ranks));
  for (int dimensions = ceil_log2(ranks); dimensions > 0; --dimensions) {
    const double extent = std::round(std::pow(ranks, 1.0 / dimensions));
    if (std::pow(extent, dimensions) != ranks) continue;
    Forest forest = ways_round(static_cast<int>(extent), dimensions);
    if (forest.each <= wish.most_trees) visit(std::move(forest));
  }
}

void visit_low_forests(const SynthesisRequest& wish, int ranks, const std::function<void(const Forest&)>& visit) {
  constexpr std::int64_t most_edges = 128 * 1024;
  const std::int64_t others = ranks - 1;
  if (!has_root(wish.collective)) {
    if (ranks * others <= most_edges) visit(stars(ranks));
    return;
  }
  visit({.trees = {star(ranks, wish.root)}});
  // From two edges of every rank in its tree to one rank in each tree that passes on to all others.
  const std::int64_t most = std::min({others, wish.most_trees, most_edges / std::max<std::int64_t>(others, 1)});
  for (int trees = 2; trees <= most; trees = next_of(trees, ranks)) {
    if (const auto forest = shared_trees(ranks, wish.root, (wish.root + 1) % ranks, trees)) visit(*forest);
  }
}

}  // namespace tutti::synthesize
