#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/terminal.hpp"
#include "base/check.hpp"
#include "base/nearest_name.hpp"
#include "base/table.hpp"

namespace tutti::app {
namespace {

// Where a line goes on after the name that it begins with, two blanks or more after it; 0: there is none. Names that
// nearly fill their column have one blank.
std::size_t text_column(const std::string& line) {
  constexpr std::size_t usual = 30;  // of the parser
  if (!line.starts_with("  ")) return 0;
  const std::size_t name = line.find_first_not_of(' ');
  const std::size_t gap = std::min(line.find("  ", name), line.size());
  if (name < usual && gap > usual && line.size() > usual && line[usual - 1] == ' ') return usual;
  return gap == line.size() ? name : line.find_first_not_of(' ', gap);
}

// Whether the text has a word that is longer than this many letters.
bool has_longer_word(std::string_view text, int letters) {
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (static_cast<int>(word.size()) > letters) return true;
  }
  return false;
}

// A line of help in lines that the screen has room for.
std::string on_screen(const std::string& line) {
  const int width = line_width();
  constexpr int least_beside = 30;  // letters beside the names
  const bool is_command = line.starts_with("  tutti ") || line.find("&& tutti ") != std::string::npos;
  if (width == 0 || line.size() <= static_cast<std::size_t>(width)) return line + '\n';
  if (is_command && line.find('#') == std::string::npos)
    return screen_command(line.substr(line.find_first_not_of(' ')));
  const std::size_t column = text_column(line);
  const int room = width - static_cast<int>(column);
  if (column == 0 || room < least_beside) return screen_text(line);
  const std::string name = line.substr(0, line.find_last_not_of(' ', column - 1) + 1);
  const std::string text = line.substr(column);
  constexpr std::size_t below = 6;  // where text with a long word begins, below the name
  if (name.empty() || !has_longer_word(text, room)) return screen_line(line, column);
  return name + '\n' + screen_line(std::string(below, ' ') + text, below);
}

// Help that the screen has room for.
class Help : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::istringstream lines(CLI::Formatter::make_help(app, std::move(name), mode));
    std::string text;
    for (std::string line; std::getline(lines, line);) text += on_screen(line);
    return text;
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
    const std::vector<std::string_view> views(names.begin(), names.end());
    return fmt::format("there is no command '{}'; {}", word, nearest_in_words(word, views));
  }
  return fmt::format("'{}' was not expected; see 'tutti {} --help'", word, command.get_name());
}

// The parser's sentence on options that lack a value, come too often, or do not go together, with what to do about it.
std::string on_options(const CLI::App& command, const std::string& sentence) {
  const auto parts = [&](std::string_view between) {
    const std::size_t at = sentence.find(between);
    return at == sentence.npos ? std::pair<std::string, std::string>()
                               : std::pair(sentence.substr(0, at), sentence.substr(at + between.size()));
  };
  if (const auto [name, type] = parts(": 1 required "); !name.empty())
    return fmt::format("{} needs {}; see 'tutti {} --help'", name, type.substr(0, type.find(" missing")),
                       command.get_name());
  if (const auto [name, times] = parts(": At Most 1 required but received "); !name.empty())
    return fmt::format("{} is given {} times; leave all but one out", name, times);
  if (const auto [name, other] = parts(" requires "); !name.empty())
    return fmt::format("{}; add {}, or leave {} out", sentence, other, name);
  if (const auto [name, other] = parts(" excludes "); !name.empty())
    return fmt::format("{}; leave one of them out", sentence);
  return sentence;
}

// What was wrong, what was expected, and the nearest valid name.
std::string usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<std::string> extras = program.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) && !extras.empty()) return unexpected(program, extras.front());
  return on_options(reading(program), error.what());
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
    if (words.size() > 1) fail(ErrorCode::invalid_argument, "help is of one command; leave '{}' out", words[1]);
    words.insert(words.begin() + 1, "--help");
  }
}

// The words after the program's name.
std::vector<std::string> words_to_parse(const CLI::App& program, int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  turn_help_round(program, words);
  if (words.empty() || (words.front() != "run" && words.front() != "mpi")) return words;
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

void Command::set_footer(const std::string& text) { parser_->footer(text); }

void Command::when_chosen(const std::function<void()>& act) { parser_->callback(act); }

CommandLine::CommandLine(const std::string& name, const std::string& purpose, const std::string& version)
    : parser_(std::make_unique<CLI::App>(purpose, name)) {
  parser_->formatter(std::make_shared<Help>());
  parser_->set_version_flag("--version", version);
  parser_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

bool CommandLine::read(int argc, char** argv) {
  try {
    std::vector<std::string> words = words_to_parse(*parser_, argc, argv);
    refuse_values_of_flags(*parser_, words);
    std::reverse(words.begin(), words.end());  // the parser takes them from the back
    parser_->parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) fail(ErrorCode::invalid_argument, "{}", usage_error(*parser_, error));
    parser_->exit(error);  // prints help, or the version
    if (!std::cout.flush()) fail(ErrorCode::invalid_argument, "the output could not be written");
    return false;
  }
  return true;
}

}  // namespace tutti::app
