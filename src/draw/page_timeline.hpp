/// @file
/// What a page holds of a timeline.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "timeline/timeline.hpp"

namespace tutti::draw {

/// The lanes that a page has room for, as its script reads them: spans with the rows where they lie, which of them are
/// on the critical path and which message each is a side of; and the messages between those lanes.
nlohmann::ordered_json page_data_of(const timeline::Timeline& timeline);

/// What of it is missing, in words; may be empty.
std::string page_note_of(const timeline::Timeline& timeline);

}  // namespace tutti::draw
