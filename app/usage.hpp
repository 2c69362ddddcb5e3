/// @file
/// Bad usage in one line.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace tutti::app {

/// What was wrong, what was expected, and the nearest valid name; one line without the program's name.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

/// The same for a word that begins like an option of `command` and is none.
std::string no_option(const CLI::App& command, const std::string& word);

}  // namespace tutti::app
