/// @file
/// What `tutti price` says: the algorithms at each size, the fastest first, and who is fastest at which sizes.
#pragma once

#include <string>

#include "app/meaning.hpp"
#include "app/offers.hpp"

namespace tutti::app {

/// Whether there is one size alone, that nobody names: of nothing, or what --counts say.
bool has_one_size(const Problem& problem);

/// The listed sizes, and the winners where sizes are named.
std::string report_text(Prices& prices, const Reigns& winners);
Json report_json(Prices& prices, const Reigns& winners);

}  // namespace tutti::app
