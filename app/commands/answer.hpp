/// @file
/// The command as a function: words in, an outcome out. The program prints it; Python takes it as it is.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "app/command_line/command_line.hpp"
#include "app/command_line/outcome.hpp"

namespace tutti::app {

/// Does what the words after the program's name ask for; no words ask for help. Help is an outcome, and so is the
/// version, which --version prints as `version` and the facts of this build. Throws `Error` for bad usage and bad
/// input. May be called any number of times, and by several threads at once.
Outcome answer(const std::vector<std::string>& words, const std::string& version);

/// Returns the options of a subcommand, in the order of its help. Throws `Error(invalid_argument)` where none has that
/// name.
std::vector<OptionDescription> options_of(const std::string& command);

/// Describes all commands, for manual pages and completions.
CommandDescription described_program();

/// Returns what went wrong as one line for people, without its end.
std::string error_line(const std::exception& error);

}  // namespace tutti::app
