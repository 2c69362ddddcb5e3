#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "app/reports/documents/completions.hpp"

namespace tutti::app {
namespace {

// Returns the text with a backslash before each of these letters, as it stands between single quotes.
std::string escaped(std::string_view text, std::string_view letters) {
  std::string result;
  for (const char c : text) {
    if (letters.find(c) != letters.npos) result += '\\';
    c == '\'' ? result += "'\\''" : result += c;
  }
  return result;
}

std::string action_of(const CompletedValue& value) {
  switch (value.kind) {
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    case ValueKind::algorithm:
      return "_tutti_algorithms";
    case ValueKind::collective:
      return "_tutti_collectives";
    case ValueKind::network:
      return "_tutti_networks";
    case ValueKind::command:
      return "_tutti_commands";
    case ValueKind::words:
      return fmt::format("({})", fmt::join(value.words, " "));
    default:
      return " ";
  }
}

std::string specifications(const CommandDescription& command) {
  std::string text;
  int position = 0;
  for (const OptionEntry& entry : command.options) {
    const std::string action = action_of(value_of(entry));
    if (entry.is_argument) {
      const std::string place = entry.repeats ? "*" : fmt::format("{}", ++position);
      text += fmt::format(" \\\n        '{}:{}:{}'", place, entry.names.front(), action);
      continue;
    }
    for (const std::string& name : entry.names) {
      const bool is_long = name.starts_with("--") && !entry.type.empty();
      text += fmt::format(" \\\n        '({}){}{}[{}]", fmt::join(entry.names, " "), name, is_long ? "=" : "",
                          escaped(entry.help, "[]\\"));
      if (!entry.type.empty()) text += fmt::format(":{}:{}", escaped(entry.type, ":[]\\"), action);
      text += '\'';
    }
  }
  if (command.leaves_rest) text += " \\\n        '*::program:_normal'";
  return text;
}

std::string algorithms_by_collective() {
  std::string text;
  for (const std::string& collective : collective_words())
    text += fmt::format("    {}) compadd -- {} ;;\n", collective, fmt::join(algorithm_words(collective), " "));
  return text + fmt::format("    *) compadd -- {} ;;\n", fmt::join(algorithm_words(), " "));
}

}  // namespace

std::string zsh_completion(const CommandDescription& program) {
  std::string text = "#compdef tutti\n# Completion of tutti for zsh, printed by 'tutti completions zsh'.\n\n";
  text += fmt::format("_tutti_collectives() {{ compadd -- {}; }}\n\n", fmt::join(collective_words(), " "));
  text += fmt::format("_tutti_networks() {{\n  compadd -S '' -- {}\n  _files -g '*.(json|xml|txt)'\n}}\n\n",
                      fmt::join(network_words(), " "));
  text += fmt::format("_tutti_algorithms() {{\n  case ${{words[(r)({})]}} in\n{}  esac\n}}\n\n",
                      fmt::join(collective_words(), "|"), algorithms_by_collective());
  text += "_tutti_commands() {\n  local -a commands\n  commands=(\n";
  for (const CommandDescription& command : program.commands)
    text += fmt::format("    '{}:{}'\n", command.name, escaped(command.purpose, ":\\"));
  text +=
      "  )\n  _describe command commands\n}\n\n_tutti() {\n  if (( CURRENT == 2 )); then\n    _tutti_commands\n"
      "    compadd -- help --help --version\n    return\n  fi\n  shift words\n  (( CURRENT-- ))\n"
      "  case $words[1] in\n    help) _tutti_commands ;;\n";
  for (const CommandDescription& command : program.commands)
    text += fmt::format("    {})\n      _arguments -s{} ;;\n", command.name, specifications(command));
  return text + "  esac\n}\n\nif [[ $funcstack[1] == _tutti ]]; then _tutti \"$@\"; else compdef _tutti tutti; fi\n";
}

}  // namespace tutti::app
