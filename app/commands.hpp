/// @file
/// The subcommands. Each adds its options to the command line; when it is the chosen one, `chosen` becomes what it
/// does.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tutti::app {

/// The exit status of a command that was called wrongly.
inline constexpr int bad_usage = 2;

/// What a subcommand has to say, and the exit status: 0, or 1 where the thing asked about is false; for `run` that of
/// the program. Bad input is not an outcome: it throws `Error`.
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
void add_draw(CLI::App& app, Chosen& chosen);

/// The commands that run something here; in a build without the runtime they say so.
void add_runtime_commands(CLI::App& app, Chosen& chosen);
void add_bench(CLI::App& app, Chosen& chosen);
void add_run(CLI::App& app, Chosen& chosen);

/// The words of the command line after the program's name. Of `tutti run … -- ./program …` the mark is dropped, with
/// which the parser would end the subcommand.
std::vector<std::string> words_to_parse(int argc, char** argv);

}  // namespace tutti::app
