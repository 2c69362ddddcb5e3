#include "app/command_line/user_settings.hpp"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "app/command_line/platform.hpp"
#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "base/text/nearest_name.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

constexpr std::array all{
    SettingDescription{"ts", "1us", "--ts of price, simulate and draw"},
    SettingDescription{"tw", "1ns", "--tw of price, simulate and draw"},
    SettingDescription{"topology", "", "--topology of price and simulate, where nothing else names the network"},
    SettingDescription{"colors", "true", "bold headings and colored outcomes on terminals"},
};

std::string name_of_file() {
  if (!takes_user_settings()) return {};
  const std::string named = text_in_environment("TUTTI_CONFIG");
  if (named == "none") return {};
  if (!named.empty()) return named;
  const std::string folder = own_configuration();
  return folder.empty() ? folder : folder + "/config.toml";
}

// "config.toml:3".
std::string place(const std::string& file, const toml::source_region& source) {
  return fmt::format("{}:{}", file, source.begin.line);
}

std::string no_setting(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SettingDescription& each : all) names.push_back(each.name);
  return fmt::format("there is no setting '{}'; {}", name, nearest_in_words(name, names));
}

std::string time_in(const toml::node& node, std::string_view name, const std::string& where) {
  const auto text = node.value<std::string>();
  require(text.has_value(), "{}: {} is a time in quotes, such as {} = \"2us\"", where, name, name);
  try {
    parse_seconds(*text);
  } catch (const Error& error) {
    fail(ErrorCode::invalid_argument, "{}: {}", where, error.what());
  }
  return *text;
}

void take(UserSettings& settings, std::string_view name, const toml::node& node) {
  const std::string where = place(settings.file, node.source());
  if (name == "ts") {
    settings.ts = time_in(node, name, where);
  } else if (name == "tw") {
    settings.tw = time_in(node, name, where);
  } else if (name == "topology") {
    settings.topology = node.value<std::string>();
    require(settings.topology.has_value(), "{}: topology is a network in quotes, such as topology = \"ring\"", where);
  } else if (name == "colors") {
    settings.colors = node.value<bool>();
    require(settings.colors.has_value(), "{}: colors is true or false", where);
  } else {
    fail(ErrorCode::invalid_argument, "{}: {}", where, no_setting(name));
  }
}

}  // namespace

std::span<const SettingDescription> setting_descriptions() { return all; }

std::optional<std::string> UserSettings::text_of(std::string_view name) const {
  if (name == "ts") return ts;
  if (name == "tw") return tw;
  if (name == "topology") return topology;
  if (name == "colors" && colors) return *colors ? "true" : "false";
  return std::nullopt;
}

UserSettings user_settings() {
  UserSettings settings;
  settings.file = name_of_file();
  if (settings.file.empty()) return settings;
  std::ifstream file(settings.file);
  std::error_code unknown;
  settings.is_there = file.good() && std::filesystem::is_regular_file(settings.file, unknown);
  if (!settings.is_there) {
    require(text_in_environment("TUTTI_CONFIG").empty(), "TUTTI_CONFIG names '{}', which cannot be read",
            settings.file);
    return settings;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const toml::parse_result parsed = toml::parse(text, settings.file);
  if (!parsed) {
    fail(ErrorCode::invalid_argument, "{}: {}; write lines such as ts = \"2us\"",
         place(settings.file, parsed.error().source()), parsed.error().description());
  }
  for (const auto& [name, node] : parsed.table()) take(settings, name.str(), node);
  return settings;
}

}  // namespace tutti::app
