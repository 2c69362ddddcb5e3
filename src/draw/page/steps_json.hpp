/// @file
/// Steps of a page, as its script reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "draw/steps/frames.hpp"

namespace tutti::draw {

/// Returns the value as JSON for a script element: without "<", so that nothing in it can end the element or begin a
/// comment.
std::string script_json(const nlohmann::ordered_json& value);

/// The members "frames" and "texts" of a page's data, for a script element.
///
/// Frames are rows, which dom.js gives names. Texts stand in one list, each once, and rows name them by number. A
/// rank's row is its operations, then what it holds after the step where that differs from what it held before, then
/// what it held before where that differs from what it held after the step before.
std::string steps_json(const ScheduleFrames& frames);

}  // namespace tutti::draw
