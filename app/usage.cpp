#include "app/usage.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "app/commands.hpp"
#include "base/check.hpp"
#include "base/nearest_name.hpp"

namespace tutti::app {
namespace {

// The subcommand that was being read, or the program itself.
const CLI::App& reading(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return std::string(nearest_name(word, views));
}

std::string unexpected(const CLI::App& app, const std::string& word) {
  const CLI::App& command = reading(app);
  if (word.starts_with('-')) return no_option(command, word);
  if (&command == &app)
    return fmt::format("there is no command '{}'; the nearest is '{}'", word, nearest(word, command_names(app)));
  return fmt::format("'{}' was not expected; see 'tutti {} --help'", word, command.get_name());
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  const auto found = app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

}  // namespace

void refuse_values_of_flags(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (!word.starts_with('-')) {
      // The first such word is the command; what follows the program of `run` is that program's.
      if (command->get_prefix_command()) return;
      if (command == &app) command = command_named(app, word);
      if (command == nullptr) return;
      continue;
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    const CLI::Option* const option = command->get_option_no_throw(name);
    if (option == nullptr) continue;
    const bool is_flag = option->get_items_expected_max() == 0;
    if (is_flag && equals < word.size()) {
      fail(ErrorCode::invalid_argument, "{} takes no value; leave '{}' out", name, word.substr(equals));
    }
    if (!is_flag && equals == word.size()) ++k;  // its value
  }
}

std::string no_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("there is no option '{}'; the nearest is '{}'", name, nearest(name, option_names(command)));
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> extras = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) && !extras.empty()) return unexpected(app, extras.front());
  return error.what();
}

std::vector<std::string> words_to_parse(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words.front() != "run") return words;
  for (std::size_t k = 1; k < words.size() && words[k].starts_with('-'); ++k) {
    if (words[k] == "--") {
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
    if (words[k] == "-n" || words[k] == "--ranks") ++k;
  }
  return words;
}

}  // namespace tutti::app
