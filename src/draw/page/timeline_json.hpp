/// @file
/// Contents of a page about a timeline.
#pragma once

#include <nlohmann/json.hpp>

#include "draw/page/timeline_excerpt.hpp"

namespace tutti::draw {

/// The lanes of a page, as its script reads them: spans with the rows where they lie, which of them are on the critical
/// path and which message each is a side of; and the messages between those lanes.
nlohmann::ordered_json timeline_json_of(const TimelineExcerpt& part);

}  // namespace tutti::draw
