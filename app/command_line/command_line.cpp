#include "app/command_line/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/command_line/help_text.hpp"
#include "app/reports/explain/words_explained.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "schedule/model/collective_names.hpp"

namespace tutti::app {
namespace {

// Help that the screen has room for.
class Help : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::istringstream lines(CLI::Formatter::make_help(app, std::move(name), mode));
    std::string text;
    for (std::string line; std::getline(lines, line);) text += help_line(line);
    return text;
  }

  // Conditions stand between the options and the commands, once for all options.
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
    std::string text;
    for (const std::string& sentence : conditions_of(*app))
      text += (text.empty() ? "\nConditions:\n  " : "  ") + sentence + '\n';
    return text + CLI::Formatter::make_subcommands(app, mode);
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_items_expected_max() == 0) return {};
    const std::string type = option->get_type_name();
    return (type.empty() ? "" : ' ' + type) + (option->get_items_expected_max() > 1 ? " ..." : "");
  }
};

// The parser leaves the words of the rest out of its own line.
class Usage : public Help {
 public:
  explicit Usage(std::string line) : line_(std::move(line)) {}
  std::string make_usage(const CLI::App*, std::string) const override { return line_ + '\n'; }

 private:
  std::string line_;
};

// The subcommand that was being read, or the program itself.
const CLI::App& reading(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  return chosen.empty() ? program : *chosen.front();
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return std::string(nearest_name(word, views));
}

// For a word that begins like an option of the command and is none.
std::string no_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string near = nearest(name, option_names(command));
  if (!near.empty()) return fmt::format("there is no option '{}'; the nearest is '{}'", name, near);
  const bool is_program = command.get_parent() == nullptr;
  return fmt::format("there is no option '{}'; see 'tutti {}--help'", name, is_program ? "" : command.get_name() + ' ');
}

std::string unexpected(const CLI::App& program, const std::string& word) {
  const CLI::App& command = reading(program);
  if (word.starts_with('-')) return no_option(command, word);
  if (&command == &program) {
    const std::vector<std::string> names = command_names(program);
    const std::string hint = hint_on_word(word);
    if (!hint.empty() && (collective_called(word) || nearest(word, names).empty())) return hint;
    const std::vector<std::string_view> views(names.begin(), names.end());
    return fmt::format("there is no command '{}'; {}", word, nearest_in_words(word, views));
  }
  return fmt::format("'{}' was not expected; see 'tutti {} --help'", word, command.get_name());
}

// For an option that was given without another that it needs.
std::string on_needed_option(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    for (const CLI::Option* needed : option->get_needs()) {
      if (needed->count() == 0)
        return fmt::format("{0} requires {1}; add {1}, or leave {0} out", option->get_name(), needed->get_name());
    }
  }
  return {};
}

// For two options that do not go together.
std::string on_excluded_option(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    for (const CLI::Option* excluded : option->get_excludes()) {
      if (excluded->count() != 0)
        return fmt::format("{} excludes {}; leave one of them out", option->get_name(), excluded->get_name());
    }
  }
  return {};
}

// For an option that lacks its value, or comes too often. The parser names it before a colon.
std::string on_number_of_values(const CLI::App& command, const std::string& named) {
  const CLI::Option* const option = command.get_option_no_throw(named.substr(0, named.find(':')));
  if (option == nullptr) return {};
  if (static_cast<int>(option->count()) > option->get_items_expected_max())
    return fmt::format("{} is given {} times; leave all but one out", option->get_name(), option->count());
  return fmt::format("{} needs {}; see 'tutti {} --help'", option->get_name(), option->get_type_name(),
                     command.get_name());
}

// Returns the sentence about a usage error: the fault, the expectation, and the nearest valid name.
std::string usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = reading(program);
  std::string sentence;
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::vector<std::string> extras = program.remaining(true);
    if (!extras.empty()) sentence = unexpected(program, extras.front());
  } else if (dynamic_cast<const CLI::RequiresError*>(&error)) {
    sentence = on_needed_option(command);
  } else if (dynamic_cast<const CLI::ExcludesError*>(&error)) {
    sentence = on_excluded_option(command);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    sentence = on_number_of_values(command, error.what());
  }
  return sentence.empty() ? error.what() : sentence;
}

const CLI::App* command_named(const CLI::App& program, const std::string& name) {
  const auto found = program.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

// Throws `Error` where one of the words gives a value to a flag, as `list --json=5` does.
void refuse_values_of_flags(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* command = &program;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (!word.starts_with('-')) {
      // The first such word is the command; what follows the program of `run` is that program's.
      if (command->get_prefix_command()) return;
      if (command == &program) command = command_named(program, word);
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

// "help" and a command's name are that command with --help. A name of none is left to be refused.
void turn_help_round(const CLI::App& program, std::vector<std::string>& words) {
  if (words.empty() || words.front() != "help") return;
  words.erase(words.begin());
  if (words.empty() || words.front().starts_with('-') || words.front() == "help") {
    words = {"--help"};
  } else if (command_named(program, words.front()) != nullptr) {
    if (words.size() > 1) fail(ErrorCode::invalid_argument, "help is for one command; leave '{}' out", words[1]);
    words.insert(words.begin() + 1, "--help");
  }
}

// The words as the parser takes them.
std::vector<std::string> words_to_parse(const CLI::App& program, std::vector<std::string> words) {
  turn_help_round(program, words);
  const CLI::App* const command = words.empty() ? nullptr : command_named(program, words.front());
  if (command == nullptr || !command->get_prefix_command()) return words;
  for (std::size_t k = 1; k < words.size() && words[k].starts_with('-'); ++k) {
    if (words[k] == "--") {
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
    if (words[k] == "-n" || words[k] == "--ranks" || words[k] == "--heap" || words[k] == "--grace") ++k;
  }
  return words;
}

}  // namespace

std::string Command::name() const { return parser_->get_name(); }

Command Command::add_command(const std::string& name, const std::string& help) {
  return Command(*parser_->add_subcommand(name, help));
}

Command Command::add_unlisted_command(const std::string& name) {
  return Command(*parser_->add_subcommand(name)->group("")->prefix_command());
}

void Command::add_text(const std::string& name, const std::string& type, const std::string& help,
                       const std::function<void(const std::string&)>& take) {
  parser_->add_option_function<std::string>(name, take, help)->type_name(type);
}

void Command::add_texts(const std::string& name, const std::string& type, const std::string& help,
                        const std::function<void(const std::vector<std::string>&)>& take) {
  parser_->add_option_function<std::vector<std::string>>(name, take, help)->type_name(type);
}

void Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  parser_->add_flag(name, value, help);
}

void Command::remove_option(const std::string& name) { parser_->remove_option(parser_->get_option(name)); }

void Command::exclude(const std::string& name, const std::string& other) {
  parser_->get_option(name)->excludes(parser_->get_option(other));
}

void Command::let_need(const std::string& name, const std::string& other) {
  parser_->get_option(name)->needs(parser_->get_option(other));
}

void Command::leave_rest(const std::string& usage) {
  parser_->prefix_command();
  parser_->formatter(std::make_shared<Usage>("Usage: " + usage));
}

std::vector<std::string> Command::rest() const {
  std::vector<std::string> words = parser_->remaining();
  if (!words.empty() && words.front().starts_with('-')) {
    fail(ErrorCode::invalid_argument, "{}", no_option(*parser_, words.front()));
  }
  return words;
}

std::vector<OptionDescription> Command::options_of(const std::string& subcommand) const {
  const CLI::App* const command = command_named(*parser_, subcommand);
  if (command == nullptr) fail(ErrorCode::invalid_argument, "{}", unexpected(*parser_, subcommand));
  std::vector<OptionDescription> options;
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames())
      options.push_back({"--" + name, option->get_items_expected_max() > 0 ? option->get_type_name() : ""});
  }
  return options;
}

CommandDescription Command::description() const { return describe(*parser_); }

void Command::set_footer(const std::string& text) { parser_->footer(text); }

void Command::when_chosen(const std::function<void()>& act) { parser_->callback(act); }

CommandLine::CommandLine(const std::string& name, const std::string& purpose, std::function<std::string()> version)
    : parser_(std::make_unique<CLI::App>(purpose, name)) {
  parser_->formatter(std::make_shared<Help>());
  parser_->set_version_flag("--version", std::move(version), "Print the version, and what this build can do");
  parser_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

std::optional<std::string> CommandLine::read(std::vector<std::string> words) {
  try {
    words = words_to_parse(*parser_, std::move(words));
    refuse_values_of_flags(*parser_, words);
    std::reverse(words.begin(), words.end());  // the parser takes them from the back
    parser_->parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) fail(ErrorCode::invalid_argument, "{}", usage_error(*parser_, error));
    std::ostringstream text;
    parser_->exit(error, text, text);  // help, or the version
    return text.str();
  }
  return std::nullopt;
}

}  // namespace tutti::app
