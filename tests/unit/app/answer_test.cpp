/// @file
/// The command as a function: called often, and by several threads, with the outcomes of the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "app/commands/answer.hpp"
#include "tutti/error.hpp"

namespace tutti::app {
namespace {

using testing::HasSubstr;

TEST(Answer, HelpAndTheVersionAreOutcomes) {
  EXPECT_THAT(answer({"--version"}, "tutti 1.2.3").text,
              testing::AllOf(testing::StartsWith("tutti 1.2.3\n"), HasSubstr("Transports "), HasSubstr("MPIs ")));
  const std::string help = answer({"price", "--help"}, "").text;
  EXPECT_THAT(help, HasSubstr("--topology"));
  EXPECT_EQ(answer({"help", "price"}, "").text, help);
  EXPECT_EQ(answer({}, "").text, answer({"--help"}, "").text);
}

TEST(Answer, WordsThatMeanNothingAreErrors) {
  EXPECT_THROW(answer({"prise"}, ""), Error);
  EXPECT_THROW(answer({"price", "all-reduce", "--rank", "4"}, ""), Error);
  EXPECT_THROW(answer({"price", "all-reduce", "--ranks", "0"}, ""), Error);
}

TEST(Answer, AFailedProofIsAnOutcome) {
  EXPECT_EQ(answer({"verify", "broadcast", "--ranks", "5"}, "").status, 0);
  EXPECT_EQ(answer({"verify", "program", TUTTI_PROJECT_DIR "/examples/programs/deadlock.txt"}, "").status, 1);
}

TEST(Answer, NothingIsKeptFromOneCallToTheNext) {
  const std::vector<std::string> plain{"simulate", "all-reduce", "--ranks", "8", "--json"};
  const std::string alone = answer(plain, "").text;
  answer({"simulate", "all-reduce", "--ranks", "8", "--bytes", "1MiB", "--topology", "ring:8", "--ts", "5us"}, "");
  EXPECT_EQ(answer(plain, "").text, alone);
}

TEST(Answer, ThreadsCallAtOnce) {
  const std::vector<std::vector<std::string>> questions{{"price", "all-reduce", "--ranks", "4", "--bytes", "8"},
                                                        {"verify", "scan", "--ranks", "1..4", "--jobs", "2"},
                                                        {"simulate", "all-to-all", "--topology", "torus:2x4"},
                                                        {"explain", "broadcast", "--algorithm", "binomial"}};
  std::vector<std::string> alone;
  for (const auto& words : questions) alone.push_back(answer(words, "").text);
  std::vector<std::vector<std::string>> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& texts : found) {
      threads.emplace_back([&] {
        for (const auto& words : questions) texts.push_back(answer(words, "").text);
      });
    }
  }
  for (const auto& texts : found) EXPECT_EQ(texts, alone);
}

TEST(Answer, OptionsAreThoseOfTheHelp) {
  const std::vector<OptionDescription> options = options_of("verify");
  const auto is = [](const char* name, const char* type) {
    return testing::AllOf(testing::Field(&OptionDescription::name, name),
                          testing::Field(&OptionDescription::type, type));
  };
  EXPECT_THAT(options, testing::Contains(is("--ranks", "N|A..B")));
  EXPECT_THAT(options, testing::Contains(is("--json", "")));
  EXPECT_THAT(options, testing::Contains(is("--source", "R")));
  EXPECT_THROW(options_of("verfy"), Error);
}

// No command's help names an option more than once per line of its own, which conditions of others would do.
TEST(Answer, HelpSaysOnceWhichOptionsGoTogether) {
  const std::string help = answer({"draw", "--help"}, "").text;
  EXPECT_THAT(help, testing::Not(HasSubstr("Needs:")));
  const std::size_t first = help.find("Only with --timeline: ");
  ASSERT_NE(first, help.npos);
  EXPECT_EQ(help.find("Only with --timeline", first + 1), help.npos);
  EXPECT_THAT(help, HasSubstr("Not with --timeline: --trace, "));
}

}  // namespace
}  // namespace tutti::app
