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
};

/// Those of this thread. Texts reach parameters and layout by these functions alone: a test holds them to it.
Looks& looks();

}  // namespace tutti
