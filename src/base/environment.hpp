/// @file
/// Variables of the environment.
#pragma once

#include <cstdlib>
#include <string>

namespace tutti {

/// The variable's value; null where it is not set.
///
/// A program that has more rights than who starts it (setuid, setgid, file capabilities) is told of no variable: its
/// starter could otherwise have it load a library or write a file. All reading of the environment goes through here.
inline const char* environment_variable(const char* name) {
#ifdef __GLIBC__
  return secure_getenv(name);
#else
  return std::getenv(name);
#endif
}

/// The same; empty where it is not set.
inline std::string text_in_environment(const char* name) {
  const char* const value = environment_variable(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// Where the user keeps what is said to programs of tutti: $XDG_CONFIG_HOME/tutti or $HOME/.config/tutti; empty where
/// neither is set to a path from the root on. Relative ones count as unset: XDG Base Directory Specification, 0.8,
/// 2021, "Basics".
inline std::string own_configuration() {
  const std::string folder = text_in_environment("XDG_CONFIG_HOME");
  if (folder.starts_with('/')) return folder + "/tutti";
  const std::string home = text_in_environment("HOME");
  return home.starts_with('/') ? home + "/.config/tutti" : std::string();
}

}  // namespace tutti
