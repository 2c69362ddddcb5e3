/// @file
/// Timelines as pictures: a lane a rank, against time.
#pragma once

#include <string>
#include <vector>

#include "timeline/timeline.hpp"

namespace tutti::draw {

/// Ranks that a picture shows, the first ones.
inline constexpr int most_lanes = 64;
/// Bars that it shows: spans, and short spans drawn together.
inline constexpr std::size_t most_spans = 12'000;
/// Bars that say what they are when they are pointed at: with more, none does.
inline constexpr std::size_t most_tips = 4000;
/// Messages that it shows as arrows: with more, only those on the critical path, the longest of them at most.
inline constexpr std::size_t most_arrows = 1000;
inline constexpr std::size_t most_critical_arrows = 200;

struct TimelineDrawing {
  std::string svg;
  std::vector<std::string> notes;  ///< what was left out, a sentence each
};

/// The timeline as an SVG file. What is shorter than a pixel is drawn together with its neighbours. A lane has a row
/// for sends, one for all else and one for receives, and above them its calls where there are several, and the
/// phases of their algorithms where these have names; kinds differ in
/// color, in lightness and in their row. Waits are dashed and say for whom. A thin arrow is a message, the thick line
/// the critical path. Pointing at a span tells what it is. Needs lanes in order. Throws `Error(invalid_argument)` where
/// nothing takes any time.
TimelineDrawing drawing_of(const timeline::Timeline& timeline);

}  // namespace tutti::draw
