/// @file
/// Part of a timeline that a page shows.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "timeline/timeline.hpp"

namespace tutti::draw {

/// Most lanes and spans of a timeline on a page; the page says what is left out, or shown together.
constexpr std::size_t most_lanes_on_page = 64;
constexpr std::size_t most_spans_on_page = 20'000;

/// A timeline as a page shows it.
struct TimelineExcerpt {
  timeline::Timeline timeline;  ///< timeline of the ranks that are shown; messages may be of others, too
  std::vector<std::set<std::size_t>> critical;  ///< by rank, which of its spans are on the critical path
  std::string note;                             ///< remark on what is left out, or drawn together; may be empty
};

/// Returns as many of the first ranks as fit with each span by itself. If these would be few, it returns all that fit
/// with short spans drawn together with their neighbours (see timeline_bars.hpp) and without the messages of these.
TimelineExcerpt excerpt_of(const timeline::Timeline& timeline);

}  // namespace tutti::draw
