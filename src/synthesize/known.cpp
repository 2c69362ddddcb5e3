#include "synthesize/known.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/integers.hpp"

namespace tutti::synthesize {
namespace {

void visit_shared_trees(const Wish& wish, int ranks, const std::function<void(Forest)>& visit) {
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

void visit_known_forests(const Wish& wish, int ranks, const std::function<void(Forest)>& visit) {
  if (has_root(wish.collective)) return visit_shared_trees(wish, ranks, visit);
  visit(stars(ranks));
  for (int dimensions = ceil_log2(ranks); dimensions > 0; --dimensions) {
    const double extent = std::round(std::pow(ranks, 1.0 / dimensions));
    if (std::pow(extent, dimensions) != ranks) continue;
    Forest forest = ways_round(static_cast<int>(extent), dimensions);
    if (forest.each <= wish.most_trees) visit(std::move(forest));
  }
}

void visit_low_forests(const Wish& wish, int ranks, const std::function<void(const Forest&)>& visit) {
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
