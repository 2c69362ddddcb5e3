/// @file
/// A schedule as a picture: one panel a step.
#pragma once

#include <string>

#include "draw/layout/network_arrangement.hpp"
#include "draw/steps/frames.hpp"

namespace tutti::draw {

/// The steps as an SVG file: a legend of its colors and signs, a panel with what ranks hold before, then a panel a step
/// with its messages as numbered arrows along their routes and what ranks hold after it; what a step changed stands
/// out. Below the panels stand what found no room beside its arrow or its rank, and what is left out. No text lies over
/// another, or over an arrow.
///
/// `arrangement` is that of the network the frames were made on. Panels stand in rows of `columns`; 0: as many as bring
/// the picture near to the shape of a screen, and are no wider. The same frames give the same bytes.
std::string svg_of(const ScheduleFrames& frames, const Arrangement& arrangement, int columns = 0);

}  // namespace tutti::draw
