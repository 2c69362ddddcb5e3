/// @file
/// Timelines as pictures: a lane a rank, against time.
#pragma once

#include <string>
#include <vector>

#include "timeline/timeline.hpp"

namespace tutti::draw {

struct TimelineDrawing {
  std::string svg;
  std::vector<std::string> notes;  ///< parts that were left out, a sentence each
};

/// The timeline as an SVG file. What is shorter than a pixel is drawn together with its neighbours. A lane has a row
/// for sends, one for all else and one for receives, and above them its calls where there are several, and the
/// phases of their algorithms where these have names; kinds differ in
/// color, in lightness and in their row. Sends and receives name their peers where there is room, waits are dashed and say
/// for whom. Where no message is under way a step ends: a broken line. A thin arrow is a message, the thick line
/// the critical path. Pointing at a span tells what it is. Needs lanes in order. Throws `Error(invalid_argument)` where
/// nothing takes any time.
TimelineDrawing drawing_of(const timeline::Timeline& timeline);

}  // namespace tutti::draw
