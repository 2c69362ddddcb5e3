/// @file
/// A page that plays the steps of a schedule.
#pragma once

#include <string>

#include "draw/layout/network_arrangement.hpp"
#include "draw/steps/frames.hpp"
#include "timeline/timeline.hpp"

namespace tutti::draw {

/// The steps as one HTML file that needs nothing else, no network either: played or stepped through by buttons and
/// keys, with what each rank holds and does and what each link carries, the steps in words, and for paper a picture of
/// every step. With a timeline also its lanes, and a slider for time.
///
/// `arrangement` is that of the network the frames were made on. The same input gives the same bytes.
std::string html_of(const ScheduleFrames& frames, const Arrangement& arrangement,
                    const timeline::Timeline* timeline = nullptr);

/// The timeline alone.
std::string html_of(const timeline::Timeline& timeline);

}  // namespace tutti::draw
