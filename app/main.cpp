/// @file
/// The `tutti` command: reads the command line, runs one subcommand and prints what it says.
///
/// Exit status 0; 1 where the thing asked about is false; 2 for bad usage or input, after one line on standard error.
/// `run` has the exit status of the program that it runs.

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "base/one_line.hpp"
#include "base/tell_user.hpp"

namespace {

int complain(const std::string& line) {
  tutti::tell_user("tutti: {}\n", tutti::shortened(tutti::one_line(line)));
  return tutti::app::bad_usage;
}

// A full disk or a closed pipe must not look like success.
int print(const tutti::app::Outcome& outcome) {
  const bool written = std::fwrite(outcome.text.data(), 1, outcome.text.size(), stdout) == outcome.text.size();
  if (!written || std::fflush(stdout) != 0) return complain("the output could not be written");
  return outcome.status;
}

int run(int argc, char** argv) {
  tutti::app::CommandLine line("tutti", "tutti: collective communication that is proved, priced, simulated and run",
                               "tutti " TUTTI_VERSION);
  tutti::app::Command program = line.program();
  tutti::app::Chosen chosen;
  tutti::app::add_list(program, chosen);
  tutti::app::add_explain(program, chosen);
  tutti::app::add_verify(program, chosen);
  tutti::app::add_price(program, chosen);
  tutti::app::add_simulate(program, chosen);
  tutti::app::add_textbook(program, chosen);
  tutti::app::add_draw(program, chosen);
  tutti::app::add_topology(program, chosen);
  tutti::app::add_synthesize(program, chosen);
  tutti::app::add_gallery(program, chosen);
  tutti::app::add_runtime_commands(program, chosen);
  program.set_footer(
      "Examples:\n  tutti list\n  tutti explain all-reduce --algorithm ring\n  tutti verify --ranks 1..16\n"
      "  tutti run -n 4 ./program\nEach command has its own --help, which 'tutti help COMMAND' prints, too.");
  if (!line.read(argc, argv)) return 0;
  if (!chosen) return complain("a command is needed, such as 'tutti list'; see 'tutti --help'");
  return print(chosen());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory for that; take fewer ranks or shorter messages");
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}
