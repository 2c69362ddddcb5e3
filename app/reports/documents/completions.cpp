#include "app/reports/documents/completions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "algorithms/catalogue.hpp"
#include "base/text/split.hpp"
#include "schedule/model/collective_names.hpp"
#include "topology/formats/named.hpp"

namespace tutti::app {
namespace {

// Whether the type is a list of words to choose from: "on|off", not "N|A..B".
bool is_choice(std::string_view type) {
  return type.find('|') != type.npos &&
         std::none_of(type.begin(), type.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '.' || c == '['; });
}

void add_once(std::vector<std::string>& words, std::string_view word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.emplace_back(word);
}

// One kind of value, and "COMMAND OPTION" of all that take it.
struct ValueCase {
  CompletedValue value;
  std::vector<std::string> places;
};

std::vector<ValueCase> value_cases(const CommandDescription& program) {
  std::vector<ValueCase> cases;
  for (const CommandDescription& command : program.commands) {
    for (const OptionEntry& entry : command.options) {
      const CompletedValue value = value_of(entry);
      if (entry.is_argument || value.kind == ValueKind::flag) continue;
      auto found = std::find_if(cases.begin(), cases.end(), [&](const ValueCase& known) {
        return known.value.kind == value.kind && known.value.words == value.words;
      });
      if (found == cases.end()) found = cases.insert(cases.end(), {value, {}});
      for (const std::string& name : entry.names) found->places.push_back(fmt::format("'{} {}'", command.name, name));
    }
  }
  return cases;
}

std::string bash_action(const CompletedValue& value, const CommandDescription& program) {
  const auto of_words = [](const std::vector<std::string>& words) {
    return fmt::format("_tutti_words '{}'", fmt::join(words, " "));
  };
  switch (value.kind) {
    case ValueKind::file:
      return "_tutti_files -f";
    case ValueKind::folder:
      return "_tutti_files -d";
    case ValueKind::algorithm:
      return "_tutti_words \"$(_tutti_algorithms \"$collective\")\"";
    case ValueKind::collective:
      return of_words(collective_words());
    case ValueKind::network:
      return fmt::format("_tutti_networks '{}'", fmt::join(network_words(), " "));
    case ValueKind::command:
      return of_words(command_words(program));
    case ValueKind::words:
      return of_words(value.words);
    default:
      return ":";
  }
}

std::string bash_options(const CommandDescription& program) {
  std::string text;
  for (const CommandDescription& command : program.commands) {
    std::vector<std::string> names;
    for (const OptionEntry& entry : command.options) {
      if (!entry.is_argument) names.insert(names.end(), entry.names.begin(), entry.names.end());
    }
    text += fmt::format("      {}) _tutti_words '{}' ;;\n", command.name, fmt::join(names, " "));
  }
  return text;
}

std::string bash_arguments(const CommandDescription& program) {
  std::string text;
  for (const CommandDescription& command : program.commands) {
    const auto argument = std::find_if(command.options.begin(), command.options.end(),
                                       [](const OptionEntry& entry) { return entry.is_argument; });
    if (command.leaves_rest) {
      text += fmt::format("    {}) _tutti_files -cf ;;\n", command.name);
    } else if (argument != command.options.end()) {
      text += fmt::format("    {}) {} ;;\n", command.name, bash_action(value_of(*argument), program));
    }
  }
  return text;
}

std::string bash_algorithms() {
  std::string text;
  for (const std::string& collective : collective_words())
    text += fmt::format("    {}) echo '{}' ;;\n", collective, fmt::join(algorithm_words(collective), " "));
  return text + fmt::format("    *) echo '{}' ;;\n", fmt::join(algorithm_words(), " "));
}

constexpr std::string_view bash_frame = R"(# Completion of tutti for bash, printed by 'tutti completions bash'.

_tutti_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }

_tutti_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_tutti_networks() {
  compopt -o filenames -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"; compgen -f -- "$current")
}

_tutti_algorithms() {
  case $1 in
ALGORITHMS  esac
}

_tutti() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' collective='' word
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    if [[ -z $command ]]; then
      [[ $word == -* ]] || command=$word
    elif [[ ' COLLECTIVES ' == *" $word "* ]]; then
      collective=$word
    fi
  done
  COMPREPLY=()
  if [[ -z $command ]]; then
    _tutti_words 'COMMANDS help --help --version'
    return
  fi
  case "$command $previous" in
VALUES  esac
  if [[ $current == -* ]]; then
    case $command in
OPTIONS    esac
    return
  fi
  case $command in
    help) _tutti_words 'COMMANDS' ;;
ARGUMENTS  esac
}

complete -F _tutti tutti
)";

// Returns the text with each of these words, in capitals, replaced.
std::string filled(std::string_view frame, std::initializer_list<std::pair<std::string_view, std::string>> parts) {
  std::string text(frame);
  for (const auto& [word, part] : parts) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + part.size()))
      text.replace(at, word.size(), part);
  }
  return text;
}

}  // namespace

CompletedValue value_of(const OptionEntry& entry) {
  const std::string& name = entry.names.back();
  if (entry.is_argument) {
    if (name == "COLLECTIVE" || name == "WORD") return {ValueKind::collective, {}};
    if (name == "SHAPE") return {ValueKind::network, {}};
    if (name == "COMMAND") return {ValueKind::command, {}};
  } else if (entry.type.empty()) {
    return {ValueKind::flag, {}};
  }
  if (name == "--algorithm") return {ValueKind::algorithm, {}};
  if (name == "--topology") return {ValueKind::network, {}};
  if (entry.type.starts_with("FILE")) return {ValueKind::file, {}};
  if (entry.type == "FOLDER") return {ValueKind::folder, {}};
  if (!is_choice(entry.type)) return {};
  std::vector<std::string> words;
  for (const std::string_view word : split(entry.type, '|')) words.emplace_back(word);
  return {ValueKind::words, std::move(words)};
}

std::vector<std::string> collective_words() {
  std::vector<std::string> words;
  for (const Collective collective : all_collectives()) words.emplace_back(name_of(collective));
  return words;
}

std::vector<std::string> network_words() {
  std::vector<std::string> words;
  for (const TopologyFamily& family : topology_families())
    add_once(words, family.example.substr(0, family.example.find(':') + 1));
  std::erase(words, std::string());
  for (const TopologyFamily& family : topology_families()) {
    if (family.example.find(':') == std::string_view::npos) add_once(words, family.example);
  }
  return words;
}

std::vector<std::string> command_words(const CommandDescription& program) {
  std::vector<std::string> words;
  for (const CommandDescription& command : program.commands) words.push_back(command.name);
  return words;
}

std::vector<std::string> algorithm_words() {
  std::vector<std::string> words;
  for (const Algorithm* algorithm : algorithms::catalogue()) add_once(words, algorithm->name);
  return words;
}

std::vector<std::string> algorithm_words(const std::string& collective) {
  std::vector<std::string> words;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    if (name_of(algorithm->collective) == collective) add_once(words, algorithm->name);
  }
  return words;
}

std::string bash_completion(const CommandDescription& program) {
  std::string values;
  for (const ValueCase& each : value_cases(program))
    values += fmt::format("    {}) {}; return ;;\n", fmt::join(each.places, " | "), bash_action(each.value, program));
  return filled(bash_frame, {{"ALGORITHMS", bash_algorithms()},
                             {"COLLECTIVES", fmt::format("{}", fmt::join(collective_words(), " "))},
                             {"COMMANDS", fmt::format("{}", fmt::join(command_words(program), " "))},
                             {"VALUES", values},
                             {"OPTIONS", bash_options(program)},
                             {"ARGUMENTS", bash_arguments(program)}});
}

}  // namespace tutti::app
