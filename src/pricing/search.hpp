/// @file
/// Search for the fastest way to run a collective: over algorithms, segments, grids, roots and places of ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pricing/prices.hpp"

namespace tutti {

/// One way to run the collective, with its price.
struct PricedWay {
  PricedAlgorithm priced;
  int root = 0;
  std::string embedding;  ///< value of --embedding; empty: rank r sits in the place of the network's rank r
  double ratio = 0;       ///< to the lower bound for that root; 0: there is none
};

/// Space of a search beside algorithms and their parameters: roots and places to try.
struct SearchSpace {
  std::vector<int> roots{0};
  std::vector<std::string> embeddings{""};
  std::optional<Shape> network_grid = {};  ///< of a mesh or torus, through which "line" goes
};

/// Ways to run the collective at one size, the fastest first: the best of each algorithm.
struct PricedWays {
  std::int64_t bytes = 0;
  std::vector<PricedWay> known;
  std::size_t tried = 0;  ///< number of ways whose times are known
  int unknown = 0;        ///< number of ways that are too large to simulate
};

/// Prices every algorithm of the request with the parameters that it looks at, from each root, in each place, size by
/// size. Of ways that take equally long the one that leaves more open comes first. Times are those of Prices.
std::vector<PricedWays> search_ways(const PricingRequest& request, const std::vector<std::int64_t>& sizes,
                                    const SearchSpace& space);

/// Returns the network with its ranks placed by the embedding, for an algorithm with that grid.
TopologyPtr placed_for(const PricingRequest& request, const std::string& embedding, const Shape& grid,
                       const SearchSpace& space);

}  // namespace tutti
