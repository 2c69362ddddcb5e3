/// @file
/// How a picture of a timeline shows its kinds of spans, messages and waits, and the key to them.
#pragma once

#include <string_view>

#include "draw/svg.hpp"
#include "timeline/timeline.hpp"

namespace tutti::draw {

/// The color of a bar.
std::string_view fill_of(timeline::Kind kind);

/// A wait: a dashed line.
void draw_wait_sign(Svg& svg, double from, double to, double y);

/// A message: a thin arrow.
void draw_message(Svg& svg, Point from, Point to);

/// A row that says how what the timeline has is drawn; its letters stand on the line of `at`.
void draw_key(Svg& svg, const timeline::Timeline& timeline, Point at, double letters);

}  // namespace tutti::draw
