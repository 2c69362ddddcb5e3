/// @file
/// A timeline in a few sentences.
#pragma once

#include <string>
#include <vector>

#include "timeline/timeline.hpp"

namespace tutti::timeline {

/// How long it takes, what the critical path consists of, who waited longest for whom, and what is missing.
std::vector<std::string> summary_of(const Timeline& timeline);

}  // namespace tutti::timeline
