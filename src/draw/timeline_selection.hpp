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
  double resolution = 0;           ///< seconds; what is shorter is drawn together with its neighbours
  bool tips = true;                ///< spans say what they are when they are pointed at
  bool all_arrows = true;          ///< not those of the critical path alone
  std::vector<std::string> notes;  ///< what is left out, a sentence each
};

/// The first lanes, at `finest` seconds or the next coarser resolution at which there is room for all (see
/// timeline.hpp).
TimelineSelection selection_of(const timeline::Timeline& timeline, double finest);

/// The places of a linear axis' marks in [0, most], at most about ten, at multiples of 1, 2 or 5 times a power of ten.
std::vector<double> even_marks(double most);

}  // namespace tutti::draw
