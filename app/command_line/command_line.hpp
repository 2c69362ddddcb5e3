/// @file
/// The command line: what the commands add to it, and how its words are read.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line/command_description.hpp"

namespace CLI {
class App;
}

namespace tutti::app {

/// An option of a subcommand as its help shows it, such as "--ranks" with the type "N|A..B"; a flag has none.
struct OptionDescription {
  std::string name;
  std::string type;
};

/// The program itself, or one of its subcommands, whose help shows everything in the order in which it was added. A
/// copy means the same command. It lives as long as its `CommandLine`.
class Command {
 public:
  explicit Command(CLI::App& parser) : parser_(&parser) {}

  std::string name() const;

  Command add_command(const std::string& name, const std::string& help);
  /// Adds a subcommand that no help lists and that takes whatever words follow it.
  Command add_unlisted_command(const std::string& name);

  /// Adds an option with a value of that type ("FILE"), or a positional where the name has no dash; "-n,--ranks" has a
  /// short name too. `take` is given the value while the line is read.
  void add_text(const std::string& name, const std::string& type, const std::string& help,
                const std::function<void(const std::string&)>& take);
  /// Adds an option of one value or more; all of them are given together.
  void add_texts(const std::string& name, const std::string& type, const std::string& help,
                 const std::function<void(const std::vector<std::string>&)>& take);
  void add_flag(const std::string& name, bool& value, const std::string& help);
  void remove_option(const std::string& name);
  /// A line that has both options is refused.
  void exclude(const std::string& name, const std::string& other);
  /// A line that has the first option and lacks the second is refused.
  void let_need(const std::string& name, const std::string& other);

  /// Leaves to `rest` what follows the command's own options. `usage` is the first line of the help.
  void leave_rest(const std::string& usage);
  /// The words that are left, in their order. Throws `Error` naming the nearest option where the first of them begins
  /// like an option.
  std::vector<std::string> rest() const;

  /// Returns the options of the subcommand of that name, in the order of its help. Throws `Error(invalid_argument)`
  /// naming the nearest where there is none.
  std::vector<OptionDescription> options_of(const std::string& subcommand) const;

  /// Describes the command and all below it.
  CommandDescription description() const;

  /// Ends the help with this text.
  void set_footer(const std::string& text);
  /// Calls `act` once the line that names this command has been read.
  void when_chosen(const std::function<void()>& act);

 private:
  CLI::App* parser_;
};

/// The command line of a program.
class CommandLine {
 public:
  /// `version` returns what --version says.
  CommandLine(const std::string& name, const std::string& purpose, std::function<std::string()> version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command program() { return Command(*parser_); }

  /// Reads the words after the program's name, and calls what waits for the chosen command. Returns the text where the
  /// line asks for help, by --help or by `tutti help` with or without a command, or for the version; else nothing. Throws
  /// `Error` for bad usage: what was wrong, what was expected, and the nearest valid name. Of
  /// `tutti run … -- ./program …`, and of `tutti mpi … -- …`, the mark is dropped, with which the parser would end the
  /// subcommand.
  std::optional<std::string> read(std::vector<std::string> words);

 private:
  std::unique_ptr<CLI::App> parser_;
};

}  // namespace tutti::app
