#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "app/reports/documents/completions.hpp"

namespace tutti::app {
namespace {

// Text between single quotes.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + '\'';
}

std::string values_of(const CompletedValue& value, const CommandDescription& program) {
  switch (value.kind) {
    case ValueKind::flag:
      return "";
    case ValueKind::file:
      return " -rF";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::algorithm:
      return " -x -a '(__tutti_algorithms)'";
    case ValueKind::collective:
      return fmt::format(" -x -a {}", in_quotes(fmt::format("{}", fmt::join(collective_words(), " "))));
    case ValueKind::network:
      return fmt::format(" -rF -a {}", in_quotes(fmt::format("{}", fmt::join(network_words(), " "))));
    case ValueKind::command:
      return fmt::format(" -x -a {}", in_quotes(fmt::format("{}", fmt::join(command_words(program), " "))));
    case ValueKind::words:
      return fmt::format(" -x -a {}", in_quotes(fmt::format("{}", fmt::join(value.words, " "))));
    default:
      return " -x";
  }
}

std::string lines_of(const CommandDescription& command, const CommandDescription& program) {
  std::string text;
  const std::string begin = fmt::format("complete -c tutti -n '__fish_seen_subcommand_from {}'", command.name);
  for (const OptionEntry& entry : command.options) {
    std::string names;
    for (const std::string& name : entry.names) {
      if (entry.is_argument) break;
      names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    const CompletedValue value = value_of(entry);
    if (!entry.is_argument) {
      text += fmt::format("{}{}{} -d {}\n", begin, names, values_of(value, program), in_quotes(entry.help));
    } else if (value.kind != ValueKind::text) {
      text += fmt::format("{}{}\n", begin, values_of(value, program));
    }
  }
  return command.leaves_rest ? text + begin + " -F -a '(__fish_complete_command)'\n" : text;
}

}  // namespace

std::string fish_completion(const CommandDescription& program) {
  std::string text = "# Completion of tutti for fish, printed by 'tutti completions fish'.\n\n";
  text += "function __tutti_algorithms\n    for word in (commandline -opc)\n        switch $word\n";
  for (const std::string& collective : collective_words()) {
    text += fmt::format("            case {}\n                string split ' ' {}\n                return\n",
                        collective, in_quotes(fmt::format("{}", fmt::join(algorithm_words(collective), " "))));
  }
  text += fmt::format("        end\n    end\n    string split ' ' {}\nend\n\ncomplete -c tutti -f\n",
                      in_quotes(fmt::format("{}", fmt::join(algorithm_words(), " "))));
  for (const CommandDescription& command : program.commands) {
    text += fmt::format("complete -c tutti -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        in_quotes(command.purpose));
  }
  text +=
      "complete -c tutti -n __fish_use_subcommand -a help -d 'Print the help of a command'\n"
      "complete -c tutti -n __fish_use_subcommand -l version -d 'Print the version, and what this build can do'\n";
  text += fmt::format("complete -c tutti -n '__fish_seen_subcommand_from help' -a {}\n",
                      in_quotes(fmt::format("{}", fmt::join(command_words(program), " "))));
  for (const CommandDescription& command : program.commands) text += lines_of(command, program);
  return text;
}

}  // namespace tutti::app
