/// @file
/// `tutti plan` as a user calls it, by the built-in costs.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/command.hpp"

namespace tutti::test {

using Json = nlohmann::json;

inline Ran plan(const std::string& line) {
  return run_command("/usr/bin/env", words_of("TUTTI_PROFILE=built-in " TUTTI_COMMAND " plan " + line));
}

inline std::string text(const std::string& line) {
  const Ran ran = plan(line);
  EXPECT_EQ(ran.status, 0) << line << ran.err;
  EXPECT_EQ(ran.err, "") << "nothing but a terminal gets a progress bar";
  return ran.out;
}

inline Json json(const std::string& line) { return Json::parse(text(line + " --json")); }

}  // namespace tutti::test
