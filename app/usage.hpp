/// @file
/// Bad usage in one line.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tutti::app {

/// What was wrong, what was expected, and the nearest valid name; one line without the program's name.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

/// Throws `Error` where one of the words gives a value to a flag, as `list --json=5` does.
void refuse_values_of_flags(const CLI::App& app, const std::vector<std::string>& words);

/// The same for a word that begins like an option of `command` and is none.
std::string no_option(const CLI::App& command, const std::string& word);

}  // namespace tutti::app
