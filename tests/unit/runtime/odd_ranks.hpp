/// @file
/// Ranks of odd_ranks.cpp, as tests start them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/rank_shells.hpp"

namespace tutti::test {

/// The ranks are those of odd_ranks.cpp.
class OddRanks : public RunCommand {
 protected:
  static std::vector<std::string> program(int ranks, const std::vector<std::string>& before,
                                          const std::string& scenario, const std::string& argument = {}) {
    std::vector<std::string> all{"run", "-n", std::to_string(ranks)};
    all.insert(all.end(), before.begin(), before.end());
    all.insert(all.end(), {TUTTI_ODD_RANKS, scenario});
    if (!argument.empty()) all.push_back(argument);
    return all;
  }
  static Ran odd(int ranks, const std::vector<std::string>& before, const std::string& scenario) {
    return run_command(TUTTI_COMMAND, program(ranks, before, scenario));
  }
  static void expect_right(const Ran& ran, int ranks) {
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    std::vector<std::string> expected;
    for (int rank = 0; rank < ranks; ++rank) expected.push_back("rank " + std::to_string(rank) + ": 0 wrong");
    EXPECT_THAT(lines_of(ran.out), testing::UnorderedElementsAreArray(expected));
  }
  /// Whether a program runs that is started like that.
  static bool runs(std::vector<std::string> command) {
    command.emplace_back("true");
    return run_command("/usr/bin/env", command).status == 0;
  }
};

}  // namespace tutti::test
