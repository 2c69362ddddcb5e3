/// @file
/// A user's defaults of the command, from config.toml in the folder of settings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tutti::app {

/// Setting that config.toml may have.
struct SettingDescription {
  std::string_view name;
  std::string_view built_in;  ///< value where nobody sets another
  std::string_view meaning;
};

/// All settings, in the order of `tutti config`.
std::span<const SettingDescription> setting_descriptions();

/// Values of the file; empty where it leaves the built-in ones.
struct UserSettings {
  std::string file;  ///< its name, whether it is there or not; empty where it has no place or is not to be read
  bool is_there = false;
  std::optional<std::string> ts;
  std::optional<std::string> tw;
  std::optional<std::string> topology;
  std::optional<bool> colors;

  /// Returns the setting's text; nothing where the file does not set it, or there is none of that name.
  std::optional<std::string> text_of(std::string_view name) const;
};

/// Reads the file that TUTTI_CONFIG names, or $XDG_CONFIG_HOME/tutti/config.toml. TUTTI_CONFIG=none: no file. Throws
/// `Error(invalid_argument)` with file and line for what is no TOML, no setting, or no value of its setting.
UserSettings user_settings();

}  // namespace tutti::app
