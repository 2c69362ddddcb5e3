/// @file
/// For tests of the command: a run of it, and what it prints as JSON.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace tutti::test {

using Json = nlohmann::json;

inline Ran tutti(const std::string& line) { return run_command(TUTTI_COMMAND, words_of(line)); }

/// The command ends with that status, and says nothing beside its JSON.
inline Json json(const std::string& line, int status = 0) {
  const Ran ran = tutti(line);
  EXPECT_EQ(ran.status, status) << ran.err;
  EXPECT_EQ(ran.err, "");
  return Json::parse(ran.out);
}

inline std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

}  // namespace tutti::test
