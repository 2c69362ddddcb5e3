/// @file
/// `tutti config`: the user's defaults, and the file that sets them.

#include <fmt/format.h>

#include <memory>

#include "app/command_line/terminal.hpp"
#include "app/command_line/user_settings.hpp"
#include "app/commands/subcommands.hpp"
#include "app/reports/descriptions.hpp"

namespace tutti::app {
namespace {

std::string value_of(const UserSettings& settings, const SettingDescription& setting) {
  return settings.text_of(setting.name).value_or(std::string(setting.built_in));
}

std::string_view origin_of(const UserSettings& settings, const SettingDescription& setting) {
  return settings.text_of(setting.name) ? "the file" : "built-in";
}

std::string file_in_words(const UserSettings& settings) {
  if (settings.file.empty()) return "none is read: TUTTI_CONFIG is 'none', or neither XDG_CONFIG_HOME nor HOME is set";
  return settings.is_there ? settings.file : settings.file + ", which is not there";
}

Json json_of(const UserSettings& settings) {
  Json values = Json::object();
  for (const SettingDescription& each : setting_descriptions())
    values[std::string(each.name)] = {{"value", value_of(settings, each)}, {"from", origin_of(settings, each)}};
  return Json{{"file", settings.file}, {"is_there", settings.is_there}, {"settings", values}};
}

Outcome config(bool json) {
  const UserSettings settings = user_settings();
  if (json) return {json_of(settings).dump(2) + '\n'};
  TableRows rows{{"SETTING", "VALUE", "FROM", "WHAT IT IS"}};
  for (const SettingDescription& each : setting_descriptions()) {
    const std::string value = value_of(settings, each);
    rows.push_back({std::string(each.name), value.empty() ? "-" : value, std::string(origin_of(settings, each)),
                    std::string(each.meaning)});
  }
  return {titled("File", file_in_words(settings), 5) + '\n' + screen_table(rows)};
}

}  // namespace

void add_config(Command command, Chosen& chosen) {
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Print JSON; the command's reference names its fields");
  command.set_footer(
      "The file has a line for each setting, such as\n"
      "  ts = \"2us\"\n"
      "  tw = \"0.1ns\"\n"
      "  topology = \"torus\"\n"
      "  colors = false\n"
      "A network without a size takes that of --ranks. Options go before settings.\n"
      "Examples:\n  tutti config\n  tutti config --json");
  command.when_chosen([json, &chosen] { chosen = [json] { return config(*json); }; });
}

}  // namespace tutti::app
