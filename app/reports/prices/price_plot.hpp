/// @file
/// The picture of `tutti price`.
#pragma once

#include <string>
#include <vector>

#include "draw/plots/plot.hpp"
#include "pricing/prices.hpp"

namespace tutti::app {

/// The sizes at which times are drawn, in order: the range's powers of two and its ends, and those that are listed.
std::vector<std::int64_t> sizes_drawn(const SizeRange& range, const std::vector<std::int64_t>& listed);

/// Time against size as SVG: a line for each algorithm whose time is known, with dots where it is simulated, at the
/// listed sizes alone where others would take too long; of more than six that nobody named, the fastest somewhere and
/// those nearest to them that look unlike them; the lower bound, and a flag at each size from which another
/// algorithm is the fastest. Sizes of 0 have no place on its axis and
/// are left out. Throws `Error` where no time is known, and where nothing moves.
std::string price_plot(Prices& prices, const SizeRange& range, const std::vector<WinnerRange>& winners);

/// Throws `Error` where no line of the plot has a point, because nothing takes time.
void check_takes_time(const draw::Plot& plot);

/// "the fastest, from small sizes to large: chain, ring": each once, in that order.
std::string fastest_in_words(const std::vector<const Algorithm*>& winners);

}  // namespace tutti::app
