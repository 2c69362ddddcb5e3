/// @file
/// What of a timeline is drawn, and where the marks of its axis stand.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "timeline/timeline.hpp"

namespace tutti::draw {

/// Which lanes, spans and arrows of a timeline a picture has room for.
struct TimelineSelection {
  std::size_t lanes = 0;           ///< the first ones
  double shortest = 0;             ///< seconds; what is shorter is left out
  bool tips = true;                ///< spans say what they are when they are pointed at
  bool all_arrows = true;          ///< not those of the critical path alone
  std::vector<std::string> notes;  ///< what is left out, a sentence each
};

/// The first lanes and the longest spans, as far as there is room (see timeline.hpp).
TimelineSelection selection_of(const timeline::Timeline& timeline);

/// The places of a linear axis' marks in [0, most], at most about ten, at multiples of 1, 2 or 5 times a power of ten.
std::vector<double> even_marks(double most);

}  // namespace tutti::draw
