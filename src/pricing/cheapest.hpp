/// @file
/// Cheapest algorithm for a call, found in about a second.
#pragma once

#include <optional>
#include <string>

#include "pricing/prices.hpp"

namespace tutti {

/// Cheapest algorithm of the catalogue, found in about a second.
struct CheapestAlgorithm {
  PricedAlgorithm priced;      ///< its basis is none where all algorithms are too large to be priced
  std::size_t candidates = 0;  ///< the request's algorithms
  std::size_t unknown = 0;     ///< number of these are too large to be priced
  /// Whether all are, and this one is the cheapest by closed forms between fully connected ranks.
  bool if_connected = false;
  /// The simulation that gave its time, if one did and it is at hand.
  std::optional<Simulation> simulation = {};
};

/// Returns the request's algorithm that takes the least time for its problem. Needs at least one.
CheapestAlgorithm cheapest_algorithm(PricingRequest request);

}  // namespace tutti
