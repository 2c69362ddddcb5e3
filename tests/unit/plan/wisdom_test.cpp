/// @file
/// Winners that trials have found, kept from run to run.

#include "plan/wisdom.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "plan/choice.hpp"
#include "predict/profile/stored_profile.hpp"

namespace tutti {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

Problem all_reduce_over(int ranks) { return {.collective = Collective::all_reduce, .ranks = ranks, .count = 1000}; }

std::vector<Choice> some_choices(std::size_t n) {
  const std::vector<const Algorithm*> candidates = candidates_for(all_reduce_over(4), Layout{});
  std::vector<Choice> choices;
  for (std::size_t k = 0; k < n; ++k) choices.emplace_back(*candidates[k]);
  return choices;
}

/// A profile of this test's own.
class Wisdom : public testing::Test {
 protected:
  void SetUp() override { setenv("TUTTI_PROFILE", file_.c_str(), 1); }
  void TearDown() override {
    setenv("TUTTI_PROFILE", "built-in", 1);
    fs::remove(file_);
    fs::remove(file_ + ".lock");
  }
  const std::string file_ = (fs::path(testing::TempDir()) / ("wisdom-" + std::to_string(getpid()))).string();
};

TEST_F(Wisdom, IsFoundAgain) {
  const std::vector<Choice> choices = some_choices(4);
  EXPECT_FALSE(recall("a call", choices));
  Choice grid = choices[1];
  grid.parameters = {.segments = 3, .radix = 8, .grid = Shape({2, 2})};
  for (const Choice& choice : {choices[2], grid}) {
    const KeptWisdom kept = remember("a call", choice, 1e-5);
    EXPECT_EQ(kept.complaint, "");
    EXPECT_EQ(kept.file, file_);
  }
  std::vector<Choice> more = choices;
  EXPECT_FALSE(recall("a call", more)) << "the latest winner is none of these";
  more.push_back(grid);
  EXPECT_EQ(recall("a call", more), 4u);
  EXPECT_FALSE(recall("another call", more));
  EXPECT_EQ(find_profile().complaint, "");
  EXPECT_EQ(find_profile().profile.origins[Transport::threads], "built-in costs") << "wisdom is no costs";
}

// The words of a call as programs keep them.
std::string words_about(const Problem& problem) { return describe(problem) + " (8B), double, sum; threads on 2 cores"; }

TEST_F(Wisdom, IsToldToAllRanks) {
  const Problem problem = all_reduce_over(4);
  const Layout layout;
  EXPECT_TRUE(known_winners().list.empty());
  const Algorithm* const ring = algorithms::find(Collective::all_reduce, "ring");
  const Algorithm* const mesh = algorithms::find(Collective::all_reduce, "mesh");
  remember(words_about(problem), {*ring, {.segments = 3, .grid = {}}}, 1e-5);
  const Problem other = all_reduce_over(6);
  remember(words_about(other), {*mesh, {.radix = 8, .grid = Shape({3, 2})}}, 1e-5);
  const KnownWinners known = known_winners();
  EXPECT_EQ(known.list.size(), 2u);
  ASSERT_NE(known.find(words_about(problem), problem, layout), nullptr);
  EXPECT_EQ(*known.find(words_about(problem), problem, layout), Choice(*ring, {.segments = 3, .grid = {}}));
  EXPECT_EQ(*known.find(words_about(other), other, layout), Choice(*mesh, {.radix = 8, .grid = Shape({3, 2})}));
  EXPECT_EQ(known.find(words_about(problem) + " here", problem, layout), nullptr);
  Problem in_order = problem;
  in_order.commutative = false;
  EXPECT_EQ(known.find(words_about(problem), in_order, layout), nullptr) << "a ring needs a commutative operator";
  EXPECT_EQ(known.find(words_about(other), problem, layout), nullptr) << "a grid of other ranks";
}

TEST_F(Wisdom, OfUnknownAlgorithmsIsToldToNobody) {
  const Problem problem = all_reduce_over(4);
  for (const auto& [call, algorithm] :
       {std::pair{words_about(problem), "rign"}, std::pair{std::string("a call"), "ring"},
        std::pair{std::string("all-reducing"), "ring"}, std::pair{std::string(), ""}})
    keep_entry(file_, {.call = call, .algorithm = algorithm, .grid = {}, .seconds = 1});
  keep_entry(file_, {.call = words_about(problem) + "1", .algorithm = "mesh", .grid = {2, 2, 1}, .seconds = 1});
  keep_entry(file_, {.call = words_about(problem) + "2", .algorithm = "mesh", .grid = {-2, -2}, .seconds = 1});
  keep_entry(file_, {.call = words_about(problem) + "3", .algorithm = "mesh", .grid = {1 << 30, 4}, .seconds = 1});
  EXPECT_EQ(recall_all().size(), 7u);
  EXPECT_TRUE(known_winners().list.empty());
}

TEST_F(Wisdom, OfTheLatestIsTold) {
  const Algorithm* const ring = algorithms::find(Collective::all_reduce, "ring");
  StoredProfile full{.machine = machine_identity(), .tutti = "0.0.1"};
  for (std::size_t k = 0; k < KnownWinners::most + 5; ++k)
    full.wisdom.push_back({.call = "all-reduce " + std::to_string(k), .algorithm = "ring", .grid = {}, .seconds = 1});
  std::ofstream(file_) << text_of(full);
  remember("all-reduce latest", *ring, 1e-5);
  const KnownWinners known = known_winners();
  const Problem problem = all_reduce_over(4);
  EXPECT_EQ(known.list.size(), KnownWinners::most);
  EXPECT_NE(known.find("all-reduce latest", problem, {}), nullptr);
  EXPECT_EQ(known.find("all-reduce 5", problem, {}), nullptr);
  EXPECT_NE(known.find("all-reduce 6", problem, {}), nullptr);
}

TEST_F(Wisdom, OfSeveralProgramsIsMerged) {
  const std::vector<Choice> choices = some_choices(2);
  std::vector<std::thread> programs;
  for (int k = 0; k < 4; ++k) {
    programs.emplace_back([&, k] {
      for (int call = 0; call < 10; ++call)
        remember(std::to_string(k) + "/" + std::to_string(call), choices[static_cast<std::size_t>(k % 2)], 1e-6);
    });
  }
  for (std::thread& program : programs) program.join();
  for (int k = 0; k < 4; ++k) {
    for (int call = 0; call < 10; ++call)
      EXPECT_EQ(recall(std::to_string(k) + "/" + std::to_string(call), choices), static_cast<std::size_t>(k % 2));
  }
}

TEST_F(Wisdom, ReplacesNoFileThatIsNotToBeBelieved) {
  const std::vector<Choice> choices = some_choices(2);
  std::ofstream(file_) << "something else";
  EXPECT_THAT(remember("a call", choices[0], 1).complaint, HasSubstr(file_));
  EXPECT_FALSE(recall("a call", choices));
  std::ifstream stream(file_);
  std::string word;
  stream >> word;
  EXPECT_EQ(word, "something");
  setenv("TUTTI_PROFILE", "built-in", 1);
  EXPECT_EQ(remember("a call", choices[0], 1).file, "");
  setenv("TUTTI_PROFILE", "/proc/no/such", 1);
  EXPECT_THAT(remember("a call", choices[0], 1).complaint, HasSubstr("the folder of /proc/no/such cannot be made: "));
}

// Types and operators of a program have names as long as it likes, which may be cut short within a letter.
TEST_F(Wisdom, IsReadAgainWhateverCallsAreNamed) {
  const std::vector<Choice> choices = some_choices(2);
  const std::string cut_short = "a call by an \xC3";
  EXPECT_EQ(remember(cut_short, choices[0], 1).complaint, "");
  EXPECT_EQ(recall_all().size(), 1U);
  for (int call = 0; call < 12; ++call) {
    const std::string name = std::string(100'000, 'x') + std::to_string(call);
    EXPECT_EQ(remember(name, choices[1], 1).complaint, "");
    EXPECT_EQ(recall(name, choices), 1U) << call;
  }
}

}  // namespace
}  // namespace tutti
