/// @file
/// Completions of the command line for shells, written from the table of commands and options.
#pragma once

#include <string>
#include <vector>

#include "app/command_line/command_description.hpp"

namespace tutti::app {

/// Kind of value that an option or an argument takes.
enum class ValueKind : std::uint8_t {
  flag,  ///< none
  text,  ///< anything that nobody can guess
  file,
  folder,
  algorithm,
  collective,
  network,  ///< a family of networks, or a file
  command,  ///< a command of tutti
  words     ///< one of a few
};

struct CompletedValue {
  ValueKind kind = ValueKind::text;
  std::vector<std::string> words;  ///< the words of the kind `words`; empty otherwise
};

/// Returns what can stand there, by the option's name and the type that its help has.
CompletedValue value_of(const OptionEntry& entry);

/// Names that complete a value and come from tables of the library.
std::vector<std::string> collective_words();
std::vector<std::string> network_words();
std::vector<std::string> command_words(const CommandDescription& program);
/// Returns all algorithms' names once, or those of one collective.
std::vector<std::string> algorithm_words();
std::vector<std::string> algorithm_words(const std::string& collective);

std::string bash_completion(const CommandDescription& program);
std::string zsh_completion(const CommandDescription& program);
std::string fish_completion(const CommandDescription& program);

}  // namespace tutti::app
