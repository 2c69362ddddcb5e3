/// @file
/// Trees whose shapes are known, which a network may have as much room for as for any.
#pragma once

#include <functional>

#include "synthesize/synthesize.hpp"

namespace tutti::synthesize {

/// Visits those of at most `wish.most_trees` trees a root, one forest after the other, of which none is kept.
void visit_known_forests(const Wish& wish, int ranks, const std::function<void(Forest)>& visit);

/// Visits trees of few edges' depth, of at most 131,072 edges together, whatever room the network has for them.
void visit_low_forests(const Wish& wish, int ranks, const std::function<void(const Forest&)>& visit);

}  // namespace tutti::synthesize
