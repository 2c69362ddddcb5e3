/// @file
/// `tutti run`: the ranks of a program as processes on this machine.

#include <chrono>
#include <memory>

#include "app/commands/machine/launched.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/request.hpp"
#include "base/check.hpp"
#include "base/system/tell_user.hpp"
#include "base/units.hpp"
#include "launch/launch.hpp"
#include "runtime/new_machine.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::app {
namespace {

struct RunRequest : Request {
  launch::LaunchedJob job;
  bool is_counted = false;
};

// Returns the program and its arguments, with which the line goes on after the command's own options.
std::vector<std::string> command_in(const Command& command) {
  std::vector<std::string> words = command.rest();
  require(!words.empty() && !words.front().empty(), "run needs a program, such as 'tutti run -n 4 ./program'");
  return words;
}

std::chrono::milliseconds grace_of(const std::string& text) {
  constexpr double most = 24 * 60 * 60;
  const double seconds = parse_seconds(text).count;
  require(seconds <= most, "--grace is at most a day, not {}", text);
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

Outcome run_program(RunRequest& request, const Command& command) {
  request.job.command = command_in(command);
  read_values(request);
  require(request.is_counted, "run needs a number of ranks, such as 'tutti run -n 4 {}'", request.job.command.front());
  runtime::look_at_new_machine(Transport::processes, request.job.ranks, own_program());
  const launch::Ending ending =
      launch::launch(request.job, [](const std::string& line) { tell_user("tutti run: {}\n", line); });
  die_if_interrupted(ending);
  return {"", ending.status};
}

}  // namespace

void add_run(Command command, Chosen& chosen) {
  const auto request = std::make_shared<RunRequest>();
  command.leave_rest("tutti run -n N [--label] [--heap off] [--grace T] [--] PROGRAM [ARGUMENTS...]");
  add_value(command, *request, "-n,--ranks", "N", "How many ranks", [r = request.get()](const std::string& text) {
    r->job.ranks = static_cast<int>(parse_integer(text, "a number of ranks", 1, runtime::Segment::most_ranks));
    r->is_counted = true;
  });
  add_value(command, *request, "--heap", "on|off",
            "Whether ranks share their heaps, so that peers read their buffers where they lie (on)",
            [r = request.get()](const std::string& text) { r->job.heap = launch::heap_of(text); });
  add_value(command, *request, "--grace", "T",
            "Time that other ranks have to end by themselves once a rank has failed (0.5s)",
            [r = request.get()](const std::string& text) { r->job.grace = grace_of(text); });
  command.add_flag("--label", request->job.label, "Begin each line that rank R prints with \"[R] \"");
  command.set_footer(
      "All that follows PROGRAM belongs to it. Exit status: of the rank that failed first, 128 + S if signal S killed "
      "it; the\nothers are ended within a second, or as --grace says.\n"
      "Examples:\n  tutti run -n 4 ./program\n  tutti run -n 4 --label ./program --steps 100\n  tutti run --ranks 2 -- "
      "sh -c 'echo $TUTTI_RANK of $TUTTI_RANKS'");
  command.when_chosen(
      [request, command, &chosen] { chosen = [request, command] { return run_program(*request, command); }; });
}

}  // namespace tutti::app
