/// @file
/// `tutti run`: the ranks of a program as processes on this machine.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <memory>

#include "app/commands.hpp"
#include "app/options.hpp"
#include "app/usage.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "launch/launch.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::app {
namespace {

struct RunRequest : Request {
  launch::Job job;
  bool is_counted = false;
};

// The program and its arguments are no options of ours, so the parser's own line would leave them out.
struct RunHelp : CLI::Formatter {
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: tutti run -n N [--label] [--] PROGRAM [ARGUMENTS...]\n";
  }
};

// What the parser left of the line begins with the program.
std::vector<std::string> command_in(const CLI::App& command) {
  std::vector<std::string> words = command.remaining();
  require(!words.empty() && !words.front().empty(), "run needs a program, such as 'tutti run -n 4 ./program'");
  if (words.front().starts_with('-')) fail(ErrorCode::invalid_argument, "{}", no_option(command, words.front()));
  return words;
}

Outcome run(RunRequest& request, const CLI::App& command) {
  request.job.command = command_in(command);
  read_values(request);
  require(request.is_counted, "run needs a number of ranks, such as 'tutti run -n 4 {}'", request.job.command.front());
  const launch::Ending ending =
      launch::launch(request.job, [](const std::string& line) { fmt::print(stderr, "tutti run: {}\n", line); });
  if (ending.interrupted) {
    // A shell that runs a script goes on after an interrupted command unless the command has died of the signal.
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
  return {"", ending.status};
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  const auto request = std::make_shared<RunRequest>();
  CLI::App* command = app.add_subcommand("run", "Run a program on ranks that are processes on this machine");
  command->prefix_command();
  command->formatter(std::make_shared<RunHelp>());
  add_value(*command, *request, "-n,--ranks", "N", "How many ranks", [r = request.get()](const std::string& text) {
    r->job.ranks = static_cast<int>(parse_integer(text, "a number of ranks", 1, runtime::Segment::most_ranks));
    r->is_counted = true;
  });
  command->add_flag("--label", request->job.label, "Begin each line that rank R prints with \"[R] \"");
  command->footer(
      "All that follows PROGRAM belongs to it. Exit status: of the rank that failed first, 128 + S if signal S killed "
      "it; the\nothers are ended within a second.\n"
      "Examples:\n  tutti run -n 4 ./program\n  tutti run -n 4 --label ./program --steps 100\n  tutti run --ranks 2 -- "
      "sh -c 'echo $TUTTI_RANK of $TUTTI_RANKS'");
  command->callback([request, command, &chosen] { chosen = [request, command] { return run(*request, *command); }; });
}

}  // namespace tutti::app
