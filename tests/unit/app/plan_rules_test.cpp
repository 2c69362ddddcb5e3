/// @file
/// `tutti plan` by an administrator's rules, and by what the environment asks of programs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "unit/app/plan_command.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

/// A file of rules for one test.
class RulesFile {
 public:
  explicit RulesFile(const std::string& text) { std::ofstream(path_) << text; }
  RulesFile(const RulesFile&) = delete;
  RulesFile& operator=(const RulesFile&) = delete;
  ~RulesFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = (std::filesystem::path(testing::TempDir()) / ("rules-" + std::to_string(getpid()))).string();
};

TEST(Plan, ObeysRulesAndListsWhatTheyOverride) {
  const RulesFile rules("all-reduce bytes 1KiB..4KiB -> ring\n");
  const std::string line = "all-reduce --ranks 4 --cores 4 --bytes 256..16KiB --rules " + rules.path();
  const std::string free = json("all-reduce --ranks 4 --cores 4 --bytes 2KiB")["sizes"][0]["chosen"];
  ASSERT_NE(free, "ring");
  const Json planned = json(line);
  for (const Json& size : planned["sizes"]) {
    const bool ruled = size["bytes"] >= 1024 && size["bytes"] <= 4096;
    EXPECT_EQ(size["chosen"] == "ring", ruled) << size["bytes"];
    EXPECT_EQ(size["rule"].is_null(), !ruled);
  }
  std::int64_t bytes = 0;
  for (const Json& winner : planned["winners"]) {
    if (winner["rule"].is_null()) continue;
    EXPECT_EQ(winner["rule"], "line 1 of " + rules.path());
    EXPECT_EQ(winner["algorithm"], "ring");
    EXPECT_TRUE(winner["overrides"].is_string());
    bytes += winner["to_bytes"].get<std::int64_t>() - winner["from_bytes"].get<std::int64_t>() + 1;
  }
  EXPECT_EQ(bytes, 4096 - 1024 + 8) << "every size of whole elements that the rule is for, and no other";
  EXPECT_THAT(text(line), testing::ContainsRegex("ring, which line 1 of .* names instead of "));
  EXPECT_THAT(text("all-reduce --ranks 4 --cores 4 --bytes 2KiB --rules " + rules.path()),
              HasSubstr("ring is what line 1 of " + rules.path() + " names; " + free + " is predicted to be "));
}

// Networks that are only described are not for programs.
TEST(Plan, ObeysTheEnvironmentAsProgramsDo) {
  const RulesFile rules("all-reduce -> swing\nall-reduce -> recursive-doubling\n");
  const auto with = [](const std::string& line) {
    return run_command("/usr/bin/env", words_of("TUTTI_PROFILE=built-in TUTTI_ALGORITHM_ALL_REDUCE=ring " TUTTI_COMMAND
                                                " plan all-reduce --ranks 3 --cores 3 " +
                                                line));
  };
  const Ran one = with("--bytes 8 --rules " + rules.path());
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.out,
              AllOf(HasSubstr("ring is what TUTTI_ALGORITHM_ALL_REDUCE names; "), Not(HasSubstr("but swing"))));
  const Json range = Json::parse(with("--bytes 8..64 --json").out);
  for (const Json& size : range["sizes"]) EXPECT_EQ(size["chosen"], "ring");
  ASSERT_EQ(range["winners"].size(), 1);
  EXPECT_EQ(range["winners"][0]["rule"], "TUTTI_ALGORITHM_ALL_REDUCE");
  const Ran wrong = run_command("/usr/bin/env", words_of("TUTTI_ALGORITHM_ALL_REDUCE=rign " TUTTI_COMMAND
                                                         " plan all-reduce --ranks 3 --bytes 8"));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("TUTTI_ALGORITHM_ALL_REDUCE=rign: all-reduce has no such algorithm"));
  const Ran network = run_command("/usr/bin/env", words_of("TUTTI_ALGORITHM_ALL_REDUCE=ring " TUTTI_COMMAND
                                                           " plan all-reduce --topology full:3 --bytes 8"));
  EXPECT_THAT(network.out, Not(HasSubstr("TUTTI_ALGORITHM")));
}

TEST(Plan, SaysWhatProgramsTryByThemselves) {
  const auto with = [](const std::string& variables, const std::string& line) {
    return run_command("/usr/bin/env",
                       words_of("TUTTI_PROFILE=built-in " + variables + " " TUTTI_COMMAND " plan " + line));
  };
  const std::string tried = "As TUTTI_PLAN is measure, programs try ";
  const std::string here = " --ranks 3 --cores 3 --bytes 8";
  EXPECT_THAT(with("TUTTI_PLAN=measure", "broadcast" + here).out, AllOf(HasSubstr(tried), Not(HasSubstr("round"))));
  EXPECT_THAT(with("TUTTI_PLAN=measure", "broadcast" + here + "..64").out, HasSubstr(tried));
  EXPECT_THAT(with("TUTTI_PLAN=measure", "all-reduce" + here).out, HasSubstr("not in sums of doubles, which round"));
  EXPECT_THAT(with("TUTTI_PLAN=estimate", "broadcast" + here).out, Not(HasSubstr("TUTTI_PLAN")));
  EXPECT_THAT(with("TUTTI_PLAN=measure TUTTI_ALGORITHM_BROADCAST=ring", "broadcast" + here).out,
              Not(HasSubstr("TUTTI_PLAN")));
  EXPECT_THAT(with("TUTTI_PLAN=measure", "broadcast --topology full:3 --bytes 8").out, Not(HasSubstr("TUTTI_PLAN")));
  EXPECT_EQ(Json::parse(with("TUTTI_PLAN=patient", "broadcast --json" + here).out)["planning"], "patient");
  const Ran wrong = with("TUTTI_PLAN=mesure", "broadcast" + here);
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("TUTTI_PLAN is 'mesure', which is no way to plan"));
}

TEST(Plan, SaysWhichRulesHoldAndDoNotFit) {
  const RulesFile rules(
      "all-reduce bytes 8.. -> leaders\nbarrier -> tree\nall-reduce -> swing\nall-reduce -> ring\n"
      "all-reduce -> flat\n");
  const std::string line = "all-reduce --bytes 2KiB --rules " + rules.path();
  const std::string one_node =
      "line 1 of " + rules.path() + " holds for this call, but leaders is for ranks on several";
  const std::string of_three = text(line + " --ranks 3");
  EXPECT_THAT(of_three, testing::ContainsRegex("ring is what line 4 of .* names"));
  EXPECT_THAT(of_three, AllOf(HasSubstr(one_node), testing::ContainsRegex("line 3 of .*, but swing needs "),
                              Not(HasSubstr("line 2 of ")), Not(HasSubstr("line 5 of "))));
  const std::string of_four = text(line + " --ranks 4");
  EXPECT_THAT(of_four, AllOf(HasSubstr(one_node), Not(HasSubstr("but swing"))));
  EXPECT_THAT(text(line + " --nodes 2x2"), Not(HasSubstr("holds for this call")));
}

TEST(Plan, RefusesRulesWithAMistake) {
  const RulesFile rules("all-reduce -> rign\n");
  const Ran ran = plan("all-reduce --bytes 8 --rules " + rules.path());
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err,
              HasSubstr(rules.path() + ":1: there is no algorithm 'rign' for all-reduce; the nearest is 'ring'"));
  const Ran found = run_command(
      "/usr/bin/env", words_of("TUTTI_RULES=" + rules.path() + " " TUTTI_COMMAND " plan all-reduce --bytes 8"));
  EXPECT_EQ(found.status, 0);
  EXPECT_THAT(found.err, testing::StartsWith("tutti: TUTTI_RULES=" + rules.path() + ":1: there is no algorithm"));
  EXPECT_THAT(found.err, HasSubstr("; no rule of this file holds"));
}

}  // namespace
}  // namespace tutti::test
