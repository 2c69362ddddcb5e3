/// @file
/// Report of `tutti price`: the algorithms at each size, the fastest first, and the fastest ones by ranges of sizes.
#pragma once

#include <string>

#include "app/reports/descriptions.hpp"
#include "app/reports/prices/price_table.hpp"
#include "pricing/prices.hpp"

namespace tutti::app {

/// Whether there is one size alone, that nobody names: of nothing, or what --counts say.
bool has_one_size(const Problem& problem);

/// "all-reduce over ring:8, alpha-beta; ts = 1us, …", and an empty line.
std::string network_line(const PricingRequest& pricing);

/// The listed sizes, each with a table of all algorithms, and the winners where sizes are named.
std::string report_text(Prices& prices, const WinnerRanges& winners);
/// The listed sizes as lines of one table, and the winners.
std::string short_report_text(Prices& prices, const WinnerRanges& winners, PriceColumns columns);
Json report_json(Prices& prices, const WinnerRanges& winners);

}  // namespace tutti::app
