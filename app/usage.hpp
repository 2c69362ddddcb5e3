/// @file
/// Bad usage in one line.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace tutti::app {

/// What was wrong, what was expected, and the nearest valid name; one line without the program's name.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tutti::app
