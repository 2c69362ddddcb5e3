/// @file
/// The picture of `tutti price`.
#pragma once

#include <string>
#include <vector>

#include "app/offers.hpp"

namespace tutti::app {

/// Time against size as SVG: a line for each algorithm with a closed form, the lower bound, and a flag at each size
/// from which another algorithm is the fastest. Sizes of 0 have no place on its axis and are left out. Throws `Error`
/// where no algorithm has a form, and where nothing moves.
std::string price_plot(const Question& question, const SizeRange& range, const std::vector<Reign>& winners);

}  // namespace tutti::app
