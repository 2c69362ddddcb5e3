/// @file
/// A timeline in a few sentences.
#pragma once

#include <string>
#include <vector>

#include "timeline/timeline.hpp"

namespace tutti::timeline {

/// Returns the time taken, the parts of the critical path, the longest waits, and what is missing.
std::vector<std::string> summary_of(const Timeline& timeline);

}  // namespace tutti::timeline
