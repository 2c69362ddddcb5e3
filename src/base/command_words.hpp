/// @file
/// Commands as the system takes them.
#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace tutti {

/// The words of the command that has started this process, as the system tells them; none where it does not.
inline std::vector<std::string> own_command() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

/// What exec() takes: where each word lies, and null. The words have to stay, and exec() does not change them.
inline std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

}  // namespace tutti
