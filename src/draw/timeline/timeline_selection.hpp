/// @file
/// Selection of a timeline's parts for a drawing, and the marks of its axis.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "timeline/analysis.hpp"
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

/// Lanes, spans and arrows of a timeline that a picture has room for.
struct TimelineSelection {
  std::size_t lanes = 0;           ///< the first ones
  double resolution = 0;           ///< seconds; what is shorter is drawn together with its neighbours
  bool tips = true;                ///< spans say what they are when they are pointed at
  bool all_arrows = true;          ///< not those of the critical path alone
  std::vector<std::string> notes;  ///< parts that are left out, a sentence each
};

/// Selects the first lanes, at `finest` seconds or the next coarser resolution at which there is room for all.
TimelineSelection selection_of(const timeline::Timeline& timeline, double finest);

/// The places of a linear axis' marks in [0, most], at most about ten, at multiples of 1, 2 or 5 times a power of ten.
std::vector<double> even_marks(double most);

/// Returns the messages between shown ranks that get an arrow: all, or the longest on the critical path.
std::vector<const timeline::MessageSpan*> messages_with_arrows(const timeline::Timeline& timeline,
                                                               const TimelineSelection& selection,
                                                               std::span<const timeline::CriticalSpan> path);

}  // namespace tutti::draw
