/// @file
/// The `tutti` command: reads the command line, runs one subcommand and prints what it says.
///
/// Exit status 0; 1 where the thing asked about is false; 2 for bad usage or input, after one line on standard error.
/// `run` has the exit status of the program that it runs.

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line/outcome.hpp"
#include "app/commands/answer.hpp"
#include "base/check.hpp"
#include "base/system/tell_user.hpp"
#include "tutti/version.h"

namespace {

constexpr std::string_view unwritten = "the output could not be written";

// A full disk or a closed pipe must not look like success.
void write(std::string_view text) {
  tutti::require(std::fwrite(text.data(), 1, text.size(), stdout) == text.size(), "{}", unwritten);
}

int print(const tutti::app::Outcome& outcome) {
  for (const std::string& remark : outcome.remarks) tutti::tell_user("tutti: {}\n", remark);
  write(tutti::app::text_with_notes(outcome));
  if (outcome.rest) outcome.rest(write);
  tutti::require(std::fflush(stdout) == 0, "{}", unwritten);
  return outcome.status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return print(tutti::app::answer(words, "tutti " TUTTI_VERSION));
  } catch (const std::exception& error) {
    tutti::tell_user("tutti: {}\n", tutti::app::error_line(error));
    return tutti::app::bad_usage;
  }
}
