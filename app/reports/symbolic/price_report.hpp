/// @file
/// Report of `tutti price --symbolic`: each algorithm's time as a formula, the fastest by size, and the bounds.
#pragma once

#include <string>

#include "app/reports/descriptions.hpp"
#include "pricing/symbolic_prices.hpp"

namespace tutti::app {

/// The prices of all algorithms for the request, with m bytes for the order in which they stand.
std::string symbolic_price_text(const PricingRequest& request, double m, const SymbolNames& names);
Json symbolic_price_json(const PricingRequest& request, double m, const SymbolNames& names);

}  // namespace tutti::app
