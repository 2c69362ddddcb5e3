/// @file
/// Runs a program and keeps what it says.
#pragma once

#include <string>
#include <vector>

namespace tutti::test {

/// What a program printed, and its exit status; -1 where a signal ended it.
struct Ran {
  std::string out;
  std::string err;
  int status = -1;
};

/// Runs `program` with `arguments`, no shell between. Throws `std::runtime_error` where it cannot be started.
Ran run_command(const std::string& program, const std::vector<std::string>& arguments);

/// The words of a line, cut at blanks.
std::vector<std::string> words_of(const std::string& line);

}  // namespace tutti::test
