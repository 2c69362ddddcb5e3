/// @file
/// Report of `tutti price --search`.
#pragma once

#include <string>
#include <vector>

#include "app/reports/descriptions.hpp"
#include "pricing/search.hpp"

namespace tutti::app {

/// The best ways of one size, or the best way of each of several.
std::string text_of(const std::vector<PricedWays>& found, const PricingRequest& pricing);
Json json_of(const std::vector<PricedWays>& found, const PricingRequest& pricing);

}  // namespace tutti::app
