/// @file
/// Which of a problem's parameters texts look at.
#pragma once

#include <cstdint>

namespace tutti {

/// How often texts have looked at parameters that most of them do without. A text that does not look records the same
/// whatever the parameter is.
struct Looks {
  std::int64_t at_grid = 0;      ///< Problem::grid_or_square()
  std::int64_t at_segments = 0;  ///< segments_of()
};

/// Those of this thread. Texts reach grid and segments of a problem by these two functions alone: a test holds them to
/// it.
Looks& looks();

}  // namespace tutti
