/// @file
/// Lines of help, as the screen has room for them.
#pragma once

#include <string>

namespace tutti::app {

/// Returns the line in lines of line_width(), each with its end: commands as a shell takes them, other text folded
/// beside the name that it begins with, or below it.
std::string help_line(const std::string& line);

}  // namespace tutti::app
