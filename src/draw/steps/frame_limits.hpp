/// @file
/// Limits on how much of a schedule is drawn, and on how much can be.
#pragma once

#include "draw/layout/arrangement.hpp"

namespace tutti::draw {

/// Most ranks of a schedule that is run in order to be drawn.
constexpr int most_ranks_framed = 1024;

/// Limits on how much of a schedule is drawn.
struct Limits {
  int ranks = most_ranks_drawn;
  int first = 1;  ///< the first step that is shown, from 1
  int last = 64;  ///< the last one at most
};

}  // namespace tutti::draw
