/// @file
/// The `tutti` command: reads the command line, runs one subcommand and prints what it says.
///
/// Exit status 0; 1 where the thing asked about is false; 2 for bad usage or input, after one line on standard error.
/// `run` has the exit status of the program that it runs.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/usage.hpp"
#include "base/one_line.hpp"

namespace {

int complain(const std::string& line) {
  fmt::print(stderr, "tutti: {}\n", tutti::one_line(line));
  return tutti::app::bad_usage;
}

// A full disk or a closed pipe must not look like success.
int print(const tutti::app::Outcome& outcome) {
  const bool written = std::fwrite(outcome.text.data(), 1, outcome.text.size(), stdout) == outcome.text.size();
  if (!written || std::fflush(stdout) != 0) return complain("the output could not be written");
  return outcome.status;
}

std::string examples_of(const CLI::App& app) {
  const auto is_run = [](const CLI::App* command) { return command->get_name() == "run"; };
  const bool runs = !app.get_subcommands(is_run).empty();
  return fmt::format(
      "Examples:\n  tutti list\n  tutti explain all-reduce --algorithm ring\n  tutti verify --ranks 1..16\n{}Each "
      "command "
      "has its own --help.",
      runs ? "  tutti run -n 4 ./program\n" : "");
}

int run(CLI::App& app, int argc, char** argv) {
  tutti::app::Chosen chosen;
  app.require_subcommand(0, 1);
  tutti::app::add_list(app, chosen);
  tutti::app::add_explain(app, chosen);
  tutti::app::add_verify(app, chosen);
  tutti::app::add_price(app, chosen);
  tutti::app::add_simulate(app, chosen);
  tutti::app::add_textbook(app, chosen);
  tutti::app::add_draw(app, chosen);
  tutti::app::add_runtime_commands(app, chosen);
  app.footer(examples_of(app));
  try {
    std::vector<std::string> words = tutti::app::words_to_parse(argc, argv);
    tutti::app::refuse_values_of_flags(app, words);
    std::reverse(words.begin(), words.end());  // the parser takes them from the back
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : complain(tutti::app::usage_error(app, error));
  }
  if (!chosen) return complain("a command is needed, such as 'tutti list'; see 'tutti --help'");
  return print(chosen());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CLI::App app("tutti: collective communication that is proved, priced, simulated and run", "tutti");
    app.set_version_flag("--version", "tutti " TUTTI_VERSION);
    return run(app, argc, argv);
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}
