/// @file
/// The subcommands. Each adds its options to the command line; when it is the chosen one, `chosen` becomes what it
/// does.
#pragma once

#include <functional>
#include <string>

#include "app/command_line.hpp"

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

void add_list(Command& program, Chosen& chosen);
void add_explain(Command& program, Chosen& chosen);
void add_verify(Command& program, Chosen& chosen);
void add_price(Command& program, Chosen& chosen);
void add_simulate(Command& program, Chosen& chosen);
void add_textbook(Command& program, Chosen& chosen);
void add_draw(Command& program, Chosen& chosen);
void add_topology(Command& program, Chosen& chosen);
void add_gallery(Command& program, Chosen& chosen);
void add_synthesize(Command& program, Chosen& chosen);

/// The commands that run something here; in a build without the runtime they say so.
void add_runtime_commands(Command& program, Chosen& chosen);
void add_tune(Command& program, Chosen& chosen);
void add_plan(Command& program, Chosen& chosen);
void add_bench(Command& program, Chosen& chosen);
void add_run(Command& program, Chosen& chosen);
void add_mpi(Command& program, Chosen& chosen);

}  // namespace tutti::app
