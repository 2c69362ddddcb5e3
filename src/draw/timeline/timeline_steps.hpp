/// @file
/// Steps of a timeline: ranks that go on together have moments at which no message is under way.
#pragma once

#include <string>
#include <vector>

#include "draw/svg.hpp"
#include "timeline/timeline.hpp"

namespace tutti::draw {

/// Height of the steps' numbers above the lanes.
inline constexpr double steps_height = 16;

/// The moments, in order, at which no message is under way between two that are: steps end there. Empty where there are
/// too many to be marked, or none.
std::vector<double> step_ends(const timeline::Timeline& timeline);

/// Place of the steps' marks in a picture.
struct StepMarks {
  const std::vector<double>& ends;
  double seconds = 0;  ///< the timeline's
  double left = 0;     ///< x of its begin
  double width = 0;
  double top = 0;     ///< y of the first lane
  double bottom = 0;  ///< y of the last lane's end

  double x(double time) const { return left + width * time / seconds; }
};

/// Writes the number of each step over it, where there is room.
void draw_step_numbers(Svg& svg, const StepMarks& marks);
/// Draws a broken line over the lanes where a step ends.
void draw_step_ends(Svg& svg, const StepMarks& marks);

/// Returns "to 3" or "from 3", or the number alone where a bar of `width` has no room for that; empty where it has room
/// for neither, or the span is no message.
std::string peer_in(const timeline::Span& span, double width, double letters);

}  // namespace tutti::draw
