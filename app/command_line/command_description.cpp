#include "app/command_line/command_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace tutti::app {
namespace {

// "--ranks" of "-p,--ranks"; an argument's own name.
std::string short_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.is_argument = entry.names.empty();
  if (entry.is_argument) entry.names.push_back(option.get_name());
  if (option.get_items_expected_max() > 0) entry.type = option.get_type_name();
  entry.repeats = option.get_items_expected_max() > 1;
  entry.help = option.get_description();
  return entry;
}

std::string usage_of(const CommandDescription& command) {
  std::string words = "[OPTIONS]";
  for (const OptionEntry& entry : command.options) {
    if (entry.is_argument) words += fmt::format(" [{}{}]", entry.names.front(), entry.repeats ? "..." : "");
  }
  if (!command.commands.empty()) words += " COMMAND [...]";
  if (command.leaves_rest) words += " [--] PROGRAM [ARGUMENTS...]";
  return words;
}

}  // namespace

std::vector<std::string> conditions_of(const CLI::App& command) {
  std::vector<std::string> sentences;
  const std::vector<const CLI::Option*> options = command.get_options();
  for (const CLI::Option* needed : options) {
    std::vector<std::string> names;
    for (const CLI::Option* option : options) {
      if (option->get_needs().contains(const_cast<CLI::Option*>(needed))) names.push_back(short_name(*option));
    }
    if (!names.empty())
      sentences.push_back(fmt::format("Only with {}: {}", short_name(*needed), fmt::join(names, ", ")));
  }
  for (auto option = options.begin(); option != options.end(); ++option) {
    std::vector<std::string> names;
    for (auto other = option + 1; other != options.end(); ++other) {
      if ((*option)->get_excludes().contains(const_cast<CLI::Option*>(*other))) names.push_back(short_name(**other));
    }
    if (!names.empty())
      sentences.push_back(fmt::format("Not with {}: {}", short_name(**option), fmt::join(names, ", ")));
  }
  return sentences;
}

CommandDescription describe(const CLI::App& command) {
  CommandDescription description;
  description.name = command.get_name();
  description.purpose = command.get_description();
  description.footer = command.get_footer();
  description.leaves_rest = command.get_prefix_command();
  for (const CLI::Option* option : command.get_options()) description.options.push_back(entry_of(*option));
  description.conditions = conditions_of(command);
  for (const CLI::App* below : command.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    description.commands.push_back(describe(*below));
  description.usage = usage_of(description);
  return description;
}

}  // namespace tutti::app
