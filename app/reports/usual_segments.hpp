/// @file
/// Usual number of segments beside the best one, where a run leaves the number open.
#pragma once

#include <string>

#include "pricing/prices.hpp"

namespace tutti::app {

/// Returns "8, the usual number; 128 would take 1.3ms, the least by the closed form" for the request's one algorithm at
/// the count of its problem; empty where the parameters name the number, or where it cuts nothing.
std::string usual_segments_in_words(const PricingRequest& request);

}  // namespace tutti::app
