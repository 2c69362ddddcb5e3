/// @file
/// The best way to run a collective: over algorithms, segments, grids, roots and places of ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/meaning.hpp"
#include "app/offers.hpp"

namespace tutti::app {

/// One way, and what it takes.
struct Way {
  Offer offer;
  int root = 0;
  std::string embedding;  ///< as --embedding has it; empty: rank r sits where the network's rank r does
  double ratio = 0;       ///< to the lower bound for that root; 0: there is none
};

/// What is left open, and searched.
struct SearchSpace {
  std::vector<int> roots{0};
  std::vector<std::string> embeddings{""};
  std::optional<Shape> network_grid = {};  ///< of a mesh or torus, through which "line" goes
};

/// The best way of each algorithm at one size, the fastest first.
struct Ways {
  std::int64_t bytes = 0;
  std::vector<Way> known;
  std::size_t tried = 0;  ///< whose times are known
  int unknown = 0;        ///< that are too large to simulate
};

/// Every algorithm of the question with the parameters that it looks at, from each root, in each place; size by size.
/// Of those that take equally long the one comes first that leaves more open. Times are those of Prices.
std::vector<Ways> search_ways(const Question& question, const std::vector<std::int64_t>& sizes,
                              const SearchSpace& space);

/// The network with its ranks placed so for an algorithm with that grid.
TopologyPtr placed_for(const Question& question, const std::string& embedding, const Shape& grid,
                       const SearchSpace& space);

/// The best ways of one size, or the best way of each of several.
std::string text_of(const std::vector<Ways>& found, const Question& question);
Json json_of(const std::vector<Ways>& found, const Question& question);

}  // namespace tutti::app
