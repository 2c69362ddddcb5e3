/// @file
/// For tests that start the same program in several ways: what TUTTI_LAUNCHERS lists.
#pragma once

#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace tutti::test {

/// Launcher of ranks: its words come before "-n 3 program".
struct Launcher {
  std::string name;
  std::vector<std::string> command;
};

/// For the names of tests.
inline void PrintTo(const Launcher& launcher, std::ostream* stream) { *stream << launcher.name; }

/// Returns the launchers in "name:words,name:words".
inline std::vector<Launcher> launchers_in(const std::string& text) {
  std::vector<Launcher> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line, ',');) {
    const std::size_t colon = line.find(':');
    result.push_back({line.substr(0, colon), words_of(line.substr(colon + 1))});
  }
  return result;
}

}  // namespace tutti::test
