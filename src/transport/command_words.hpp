/// @file
/// Commands and environments as the system takes them.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::runtime {

/// The words of the command that has started this process, as the system tells them; none where it does not.
inline std::vector<std::string> own_command() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

/// Returns the arguments of exec(): the address of each word, and null. The words have to stay, and exec() does not
/// change them.
inline std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

/// This process's environment, without the variables that `additions` sets anew, and `additions`: "NAME=value" each.
inline std::vector<std::string> environment_with(const std::vector<std::string>& additions) {
  const auto name_of = [](std::string_view variable) { return variable.substr(0, variable.find('=')); };
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const bool is_replaced = std::any_of(additions.begin(), additions.end(), [&](const std::string& addition) {
      return name_of(addition) == name_of(*variable);
    });
    if (!is_replaced) variables.emplace_back(*variable);
  }
  variables.insert(variables.end(), additions.begin(), additions.end());
  return variables;
}

}  // namespace tutti::runtime
