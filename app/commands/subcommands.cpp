#include "app/commands/subcommands.hpp"

namespace tutti::app {
namespace {

constexpr Subcommand all[] = {
    {"list", CommandGroup::algorithms, "List every algorithm: its names, needs and source", add_list},
    {"explain", CommandGroup::algorithms,
     "Explain a collective, an algorithm or any word of the field: meaning, cost, steps", add_explain},
    {"verify", CommandGroup::algorithms, "Prove algorithms: the whole catalogue, or what is named", add_verify},
    {"price", CommandGroup::networks, "Price algorithms, by closed forms or by simulation, and name the fastest",
     add_price},
    {"simulate", CommandGroup::networks, "Simulate an algorithm on a network, in virtual time", add_simulate},
    {"textbook", CommandGroup::algorithms, "Print every time of the textbook, from its formula and from simulation",
     add_textbook},
    {"exercise", CommandGroup::algorithms, "List exercises by chapter, and check answers", add_exercise},
    {"draw", CommandGroup::networks, "Draw the steps of an algorithm, or a timeline, as a picture or a page", add_draw},
    {"topology", CommandGroup::networks, "Describe a network: its numbers, its lower bounds, its picture",
     add_topology},
    {"synthesize", CommandGroup::networks, "Make a schedule for a network, as fast as its links allow", add_synthesize},
    {"gallery", CommandGroup::algorithms, "Show mistakes that were published or shipped, and why each is refused",
     add_gallery},
    {"plan", CommandGroup::machine, "Show which algorithm is chosen, what each would take, and why", add_plan},
    {"tune", CommandGroup::machine, "Measure the cost of messages here; later choices go by it", add_tune},
    {"bench", CommandGroup::machine, "Measure a collective on this machine, beside the machine's limit", add_bench},
    {"run", CommandGroup::machine, "Run a program on ranks that are processes on this machine", add_run},
    {"mpi", CommandGroup::machine, "Run an unchanged MPI program with tutti's collectives", add_mpi},
    {"preload", CommandGroup::machine, "Run any program with the heap that ranks share", add_preload},
    {"config", CommandGroup::setup, "Show the user's defaults, and the file that sets them", add_config},
    {"completions", CommandGroup::setup, "Print completions for bash, zsh or fish", add_completions},
    {"manual", CommandGroup::setup, "Print a command's page for man", add_manual},
};

}  // namespace

std::span<const Subcommand> subcommands() { return all; }

void add_subcommands(Command program, Chosen& chosen) {
  for (const Subcommand& each : subcommands()) {
    const bool is_listed = has_runtime || each.group != CommandGroup::machine;
    each.add(is_listed ? program.add_command(each.name, each.help) : program.add_unlisted_command(each.name), chosen);
  }
}

}  // namespace tutti::app
