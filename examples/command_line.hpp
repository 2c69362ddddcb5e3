/// @file
/// What the examples share: the command line, and how a program ends.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace examples {

struct Example {
  const char* name;
  const char* purpose;  ///< for --help
  std::function<void(CLI::App&)> add_options;
  std::function<int()> program;  ///< called when the options are read; gives the exit status
};

/// Adds --ranks.
void add_ranks(CLI::App& app, int& ranks);

/// Reads the command line and runs the program. Returns what that returned, which is 0 if what it checks holds and 1 if
/// not; 2 for bad usage or input, and 1 for any other exception, each with one line on the standard error output.
int run(const Example& example, int argc, char** argv);

}  // namespace examples
