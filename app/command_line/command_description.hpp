/// @file
/// Description of a command, read from the table of options that its help is printed from. Manual pages and completions
/// are written from it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tutti::app {

/// An option or an argument of a command.
struct OptionEntry {
  std::vector<std::string> names;  ///< "-p", "--ranks"; of an argument its name alone, "COLLECTIVE"
  std::string type;                ///< "N|A..B"; empty for a flag
  std::string help;
  bool is_argument = false;
  bool repeats = false;  ///< whether it takes any number of values
};

struct CommandDescription {
  std::string name;
  std::string purpose;
  std::string usage;   ///< words behind "tutti NAME"
  std::string footer;  ///< examples, and whatever else the help says behind the options
  std::vector<OptionEntry> options;
  std::vector<std::string> conditions;  ///< sentences on options that go together, or do not
  std::vector<CommandDescription> commands;
  bool leaves_rest = false;  ///< whether a program and its words follow
};

/// Returns sentences on options that need others or exclude them: each pair is named once.
std::vector<std::string> conditions_of(const CLI::App& command);

/// Describes the command and those below it, but for commands that no help lists.
CommandDescription describe(const CLI::App& command);

}  // namespace tutti::app
