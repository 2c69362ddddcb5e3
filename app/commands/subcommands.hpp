/// @file
/// Table of subcommands, from which the command line and its help are made, and from the help the reference.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/command_line/command_line.hpp"
#include "app/command_line/outcome.hpp"

namespace tutti::app {

/// Subject of a subcommand.
enum class CommandGroup : std::uint8_t {
  algorithms,
  networks,
  machine,  ///< runs something here: a build without the runtime refuses it
  setup,    ///< the command itself: its defaults, completions and pages
};

struct Subcommand {
  const char* name = nullptr;
  CommandGroup group = CommandGroup::algorithms;
  const char* help = nullptr;
  /// Adds its options to `command`. When it is the chosen one, `chosen` becomes what it does.
  void (*add)(Command command, Chosen& chosen) = nullptr;
};

/// All of them, in the order of the help.
std::span<const Subcommand> subcommands();

/// Adds all of them to the program. A build without the runtime lists none that run something here.
void add_subcommands(Command program, Chosen& chosen);

/// Whether this build can run something.
extern const bool has_runtime;

/// Returns what --version says below the version: MPIs that are found, transports, features.
std::string facts_of_build();

void add_list(Command command, Chosen& chosen);
void add_explain(Command command, Chosen& chosen);
void add_verify(Command command, Chosen& chosen);
void add_price(Command command, Chosen& chosen);
void add_simulate(Command command, Chosen& chosen);
void add_textbook(Command command, Chosen& chosen);
void add_exercise(Command command, Chosen& chosen);
void add_draw(Command command, Chosen& chosen);
void add_topology(Command command, Chosen& chosen);
void add_synthesize(Command command, Chosen& chosen);
void add_gallery(Command command, Chosen& chosen);
void add_plan(Command command, Chosen& chosen);
void add_tune(Command command, Chosen& chosen);
void add_bench(Command command, Chosen& chosen);
void add_run(Command command, Chosen& chosen);
void add_mpi(Command command, Chosen& chosen);
void add_preload(Command command, Chosen& chosen);
void add_config(Command command, Chosen& chosen);
void add_completions(Command command, Chosen& chosen);
void add_manual(Command command, Chosen& chosen);

}  // namespace tutti::app
