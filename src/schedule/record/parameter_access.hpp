/// @file
/// Accesses of algorithms' texts to parameters and layout, counted.
#pragma once

#include <cstdint>

namespace tutti {

/// Counts of how often texts have looked at data that most of them do without. A text that does not look records the
/// same program whatever there is to be seen. Texts reach parameters and layout by these functions alone: a test holds
/// them to it.
struct ParameterAccess {
  std::int64_t at_grid = 0;      ///< Script::grid_for()
  std::int64_t at_segments = 0;  ///< Script::segments_for()
  std::int64_t at_radix = 0;     ///< Script::radix_for()
  std::int64_t at_layout = 0;    ///< Script::layout()

  ParameterAccess& operator+=(const ParameterAccess& more) {
    at_grid += more.at_grid;
    at_segments += more.at_segments;
    at_radix += more.at_radix;
    at_layout += more.at_layout;
    return *this;
  }
  ParameterAccess operator-(const ParameterAccess& before) const {
    return {at_grid - before.at_grid, at_segments - before.at_segments, at_radix - before.at_radix,
            at_layout - before.at_layout};
  }
};

}  // namespace tutti
