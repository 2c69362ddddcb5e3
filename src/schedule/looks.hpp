/// @file
/// What texts look at beside their problem.
#pragma once

#include <cstdint>

namespace tutti {

/// How often texts have looked at what most of them do without. A text that does not look records the same whatever
/// there is to be seen.
struct Looks {
  std::int64_t at_grid = 0;      ///< Parameters::grid_for()
  std::int64_t at_segments = 0;  ///< Parameters::segments_for()
  std::int64_t at_radix = 0;     ///< Parameters::radix_for()
  std::int64_t at_layout = 0;    ///< Script::layout()

  Looks& operator+=(const Looks& more) {
    at_grid += more.at_grid;
    at_segments += more.at_segments;
    at_radix += more.at_radix;
    at_layout += more.at_layout;
    return *this;
  }
  Looks operator-(const Looks& before) const {
    return {at_grid - before.at_grid, at_segments - before.at_segments, at_radix - before.at_radix,
            at_layout - before.at_layout};
  }
};

/// Those of this thread. Texts reach parameters and layout by these functions alone: a test holds them to it.
Looks& looks();

}  // namespace tutti
