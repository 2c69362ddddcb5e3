/// @file
/// Request of `tutti price`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/options/request.hpp"
#include "app/options/symbol_options.hpp"
#include "app/options/traffic_request.hpp"
#include "app/options/values.hpp"
#include "pricing/prices.hpp"

namespace tutti::app {

struct PriceRequest : Request {
  Machine machine;
  TrafficRequest traffic;
  std::optional<SizeRange> sizes;
  std::optional<DistanceRange> distances;  ///< several
  std::vector<std::string> compared;       ///< algorithms, if several are named
  std::optional<std::string> plot;
  bool full = false;
  bool textbook = false;
  bool search = false;
  bool bottleneck = false;
  std::optional<std::string> embedding;
  SymbolRequest symbols;
};

/// Reads "ring", or "ring,binomial": one algorithm, or those to be compared.
void set_algorithms(PriceRequest& request, const std::string& text);
/// Reads "5", or "1..7": the distance of a shift, or several.
void set_distances(PriceRequest& request, const std::string& text);

/// Returns everything of the request but the sizes. Throws `Error` where it makes no problem, or no algorithm fits.
PricingRequest pricing_of(const PriceRequest& request);

/// Returns the sizes that are asked for; where --counts are given their sum, and none of a barrier.
SizeRange asked_sizes(const PriceRequest& request, const Problem& problem);

}  // namespace tutti::app
