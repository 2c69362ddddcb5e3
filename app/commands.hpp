/// @file
/// The subcommands. Each adds its options to the command line; when it is the chosen one, `chosen` becomes what it
/// does.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace tutti::app {

/// What a subcommand has to say, and the exit status: 0, or 1 where the thing asked about is false.
/// Bad input is not an outcome: it throws `Error`.
struct Outcome {
  std::string text;
  int status = 0;
};

using Chosen = std::function<Outcome()>;

void add_list(CLI::App& app, Chosen& chosen);
void add_explain(CLI::App& app, Chosen& chosen);
void add_verify(CLI::App& app, Chosen& chosen);
void add_price(CLI::App& app, Chosen& chosen);
void add_simulate(CLI::App& app, Chosen& chosen);
void add_textbook(CLI::App& app, Chosen& chosen);

}  // namespace tutti::app
