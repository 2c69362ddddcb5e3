#include "pricing/search.hpp"

#include <algorithm>

#include "base/alike.hpp"
#include "base/integers.hpp"
#include "pricing/placement.hpp"
#include "schedule/model/parameter_values.hpp"

namespace tutti {
namespace {

/// A part of the search: requests that differ in what they leave open alone.
struct SearchPart {
  Parameters parameters;
  std::vector<const Algorithm*> algorithms;
};

Problem sized_as(const Problem& problem, std::int64_t bytes) {
  Problem sized = problem;
  if (problem.collective != Collective::barrier && problem.counts.empty()) sized.count = bytes;
  return sized;
}

// All algorithms as they are, then for each value of a parameter those that look at it.
std::vector<SearchPart> parts_of(const PricingRequest& request, std::int64_t bytes) {
  std::vector<SearchPart> parts{{request.parameters, request.algorithms}};
  const Problem problem = sized_as(request.problem, bytes);
  const auto add = [&](const Parameters& parameters, const Algorithm* algorithm) {
    auto part =
        std::find_if(parts.begin() + 1, parts.end(), [&](const SearchPart& p) { return p.parameters == parameters; });
    if (part == parts.end()) part = parts.insert(parts.end(), {parameters, {}});
    part->algorithms.push_back(algorithm);
  };
  for (const Algorithm* algorithm : request.algorithms) {
    const Choice choice(*algorithm, request.parameters);
    const UsedParameters looked = used_parameters(choice, problem, request.layout);
    if (looked.segments && request.parameters.segments == 0) {
      for (const Parameters& parameters : segments_of(choice, problem).all) add(parameters, algorithm);
    }
    if (looked.radix && request.parameters.radix == 0) {
      for (const Parameters& parameters : radices_of(choice, problem).all) add(parameters, algorithm);
    }
    if (looked.grid && request.parameters.grid.empty()) {
      for (const Parameters& parameters : grids_of(choice, problem).all) add(parameters, algorithm);
    }
  }
  return parts;
}

int openness(const PricedWay& way) {
  const Parameters& parameters = way.priced.parameters;
  return (parameters.segments == 0 ? 1 : 0) + (parameters.radix == 0 ? 1 : 0) + (parameters.grid.empty() ? 1 : 0) +
         (way.embedding.empty() ? 2 : 0);
}

bool comes_first(const PricedWay& a, const PricedWay& b) {
  if (a.priced.seconds * alike < b.priced.seconds) return true;
  if (b.priced.seconds * alike < a.priced.seconds) return false;
  if (openness(a) != openness(b)) return openness(a) > openness(b);
  return a.root < b.root;
}

void add_prices(std::vector<PricedWays>& found, Prices& prices, const PricedWay& like) {
  for (PricedWays& ways : found) {
    const double bound = prices.bound(ways.bytes).seconds;
    for (const PricedAlgorithm& priced : prices.ranking(ways.bytes)) {
      if (priced.basis == Basis::none) {
        ++ways.unknown;
        continue;
      }
      PricedWay way = like;
      way.priced = priced;
      way.ratio = bound > 0 ? priced.seconds / bound : 0;
      ways.known.push_back(way);
    }
  }
}

bool has_powers_of_two(const Shape& grid) {
  for (int k = 0; k < grid.dimensions(); ++k) {
    if (!is_power_of_two(grid.extent(k))) return false;
  }
  return true;
}

// Sorts the ways, and leaves of each algorithm the first alone.
void keep_best_of_each(PricedWays& ways) {
  ways.tried = ways.known.size();
  std::stable_sort(ways.known.begin(), ways.known.end(), comes_first);
  std::vector<PricedWay> best;
  for (const PricedWay& way : ways.known) {
    const bool is_new = std::none_of(best.begin(), best.end(), [&](const PricedWay& other) {
      return other.priced.algorithm == way.priced.algorithm;
    });
    if (is_new) best.push_back(way);
  }
  ways.known = std::move(best);
}

}  // namespace

TopologyPtr placed_for(const PricingRequest& request, const std::string& embedding, const Shape& grid,
                       const SearchSpace& space) {
  if (embedding.empty()) return request.topology;
  const std::optional<Shape> of_algorithm = grid.empty() ? std::nullopt : std::optional(grid);
  return placed(embedding, request.topology, embedding == "line" ? space.network_grid : of_algorithm);
}

std::vector<PricedWays> search_ways(const PricingRequest& request, const std::vector<std::int64_t>& sizes,
                                    const SearchSpace& space) {
  std::vector<PricedWays> found;
  for (const std::int64_t bytes : sizes) found.push_back({.bytes = bytes, .known = {}});
  const std::vector<SearchPart> parts = parts_of(request, sizes.back());
  const auto requests = static_cast<std::int64_t>(parts.size() * space.roots.size() * space.embeddings.size());
  const PricingEffort all;
  const PricingEffort each{.shown = all.shown / requests, .compared = all.compared / requests};
  for (const int root : space.roots) {
    for (const std::string& embedding : space.embeddings) {
      for (const SearchPart& part : parts) {
        // A Gray code of a grid is for extents that are powers of two.
        const bool fits = embedding != "gray" || has_powers_of_two(part.parameters.grid);
        if (!fits) continue;
        PricingRequest asked = request;
        asked.problem.root = root;
        asked.parameters = part.parameters;
        asked.algorithms = part.algorithms;
        asked.topology = placed_for(request, embedding, part.parameters.grid, space);
        Prices prices(std::move(asked), sizes, 0, each);
        add_prices(found, prices, {.priced = {}, .root = root, .embedding = embedding});
      }
    }
  }
  for (PricedWays& ways : found) keep_best_of_each(ways);
  return found;
}

}  // namespace tutti
