/// @file
/// What of a timeline a page shows.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "timeline/timeline.hpp"

namespace tutti::draw {

/// A timeline as a page shows it.
struct PagePart {
  timeline::Timeline timeline;                  ///< of the ranks that are shown; messages may be of others, too
  std::vector<std::set<std::size_t>> critical;  ///< by rank, which of its spans are on the critical path
  std::string note;                             ///< what is left out, or drawn together; may be empty
};

/// As many of the first ranks as may be with each span by itself. Where these would be few, all that may be, with spans
/// that are short drawn together with their neighbours (see timeline_bars.hpp) and without the messages of these.
PagePart page_part_of(const timeline::Timeline& timeline);

}  // namespace tutti::draw
