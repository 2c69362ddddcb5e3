/// @file
/// A user's defaults: what the file sets holds where no option says otherwise, and a note says so.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/command_line/user_settings.hpp"
#include "app/commands/answer.hpp"
#include "tutti/error.hpp"

namespace tutti::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class Config : public testing::Test {
 protected:
  void SetUp() override { setenv("TUTTI_CONFIG", file_.c_str(), 1); }
  void TearDown() override {
    setenv("TUTTI_CONFIG", "none", 1);
    std::filesystem::remove(file_);
  }

  void write(const std::string& text) const { std::ofstream(file_) << text; }

  // Message of the error with which the command refuses the file.
  std::string refusal_of(const std::string& text) const {
    write(text);
    return refusal_by({"config"});
  }

  // Message of the error with which the command refuses the words.
  static std::string refusal_by(const std::vector<std::string>& words) {
    try {
      answer(words, "");
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing is refused";
  }

  std::string file_ = fmt::format("{}/tutti_config_{}.toml", testing::TempDir(), getpid());
};

const std::vector<std::string> price{"price", "all-reduce", "--ranks", "8", "--bytes", "1KiB"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Config, SettingsAreDefaultsOfOptions) {
  write("");
  const std::string asked =
      answer(with(price, {"--ts", "7us", "--tw", "3ns", "--topology", "ring:8", "--json"}), "").text;
  write("ts = \"7us\"\ntw = \"3ns\"\ntopology = \"ring\"\n");
  const Outcome by_file = answer(with(price, {"--json"}), "");
  EXPECT_EQ(by_file.text, asked);
  ASSERT_EQ(by_file.notes.size(), 1u);
  EXPECT_EQ(by_file.notes.front(), "ts 7us, tw 3ns, the network ring by " + file_);
}

TEST_F(Config, OptionsGoBeforeSettings) {
  write("");
  const std::vector<std::string> own = with(price, {"--alpha", "2us", "--tw", "1ns", "--topology", "full:8"});
  const Outcome without = answer(own, "");
  write("ts = \"7us\"\ntw = \"3ns\"\ntopology = \"ring\"\n");
  EXPECT_EQ(answer(own, "").text, without.text);
  EXPECT_THAT(answer(own, "").notes, testing::IsEmpty());
}

TEST_F(Config, NetworksWithASizeHoldWhereNothingSaysHowManyRanks) {
  write("topology = \"ring:6\"\n");
  EXPECT_THAT(answer({"simulate", "broadcast", "--bytes", "8"}, "").text, HasSubstr("ring:6"));
  EXPECT_THAT(answer({"simulate", "broadcast", "--ranks", "8", "--bytes", "8"}, "").text, Not(HasSubstr("ring:6")));
}

TEST_F(Config, NetworksThatDoNotFitAreRefusedWithTheFile) {
  write("topology = \"trous\"\n");
  EXPECT_THAT(refusal_by({"simulate", "broadcast", "--bytes", "8"}),
              testing::AllOf(HasSubstr(file_), HasSubstr("the nearest is 'torus'")));
  write("topology = \"hypercube\"\n");
  const std::vector<std::string> six{"simulate", "broadcast", "--ranks", "6", "--bytes", "8"};
  EXPECT_THAT(refusal_by(six), testing::AllOf(HasSubstr(file_), HasSubstr("--topology goes before this setting")));
}

TEST_F(Config, BuiltInValuesAreTheMachines) {
  write("");
  const std::vector<std::string> own = with(price, {"--topology", "ring:8", "--json"});
  std::vector<std::string> named = own;
  for (const SettingDescription& each : setting_descriptions()) {
    if (each.name == "ts" || each.name == "tw")
      named.insert(named.end(), {fmt::format("--{}", each.name), std::string(each.built_in)});
  }
  EXPECT_EQ(answer(own, "").text, answer(named, "").text);
}

TEST_F(Config, IsShown) {
  write("tw = \"3ns\"\ncolors = false\n");
  const std::string text = answer({"config"}, "").text;
  EXPECT_THAT(text, HasSubstr(file_));
  EXPECT_THAT(text, testing::ContainsRegex("tw +3ns +the file"));
  EXPECT_THAT(text, testing::ContainsRegex("ts +1us +built-in"));
  EXPECT_THAT(answer({"config", "--json"}, "").text, HasSubstr("\"value\": \"false\""));
}

TEST_F(Config, MistakesAreRefusedWithTheirLine) {
  EXPECT_EQ(refusal_of("\nt = \"1us\"\n"), file_ + ":2: there is no setting 't'; the nearest is 'ts'");
  EXPECT_THAT(refusal_of("ts = 1\n"), HasSubstr(":1: ts is a time in quotes, such as ts = \"2us\""));
  EXPECT_THAT(refusal_of("ts = \"soon\"\n"), HasSubstr(":1: 'soon' is not a time"));
  EXPECT_THAT(refusal_of("topology = 3\n"), HasSubstr(":1: topology is a network in quotes"));
  EXPECT_THAT(refusal_of("tw = \"1ns\"\ncolors = \"red\"\n"), HasSubstr(":2: colors is true or false"));
  EXPECT_THAT(refusal_of("ts = \n"), HasSubstr(":1: "));
  std::filesystem::remove(file_);
  EXPECT_THROW(answer({"config"}, ""), Error);
}

TEST_F(Config, IsNotReadWhereNoneIsWanted) {
  setenv("TUTTI_CONFIG", "none", 1);
  EXPECT_THAT(answer({"config"}, "").text, HasSubstr("none is read"));
}

}  // namespace
}  // namespace tutti::app
