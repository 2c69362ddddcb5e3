/// @file
/// Rules of an administrator: how they read, what is refused, which of them holds for a call, and what is said of it.

#include "plan/rules.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "algorithms/catalogue.hpp"
#include "algorithms/own.hpp"
#include "plan/explanation.hpp"
#include "plan/plan_cache.hpp"
#include "predict/model/machine_model.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

std::string complaint_about(const std::string& text) {
  try {
    parse_rules(text, "rules");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.what();
  }
  return {};
}

TEST(Rules, AreReadByNames) {
  const Rules rules = parse_rules(
      "# ours\n"
      "all-reduce bytes ..4KiB ranks 2..16 ranks-per-node 8.. -> recursive-doubling  # small\n"
      "\n"
      "broadcast bytes 1MiB -> chain segments 32\r\n"
      "broadcast -> mesh grid 2x3\n"
      "reduce ranks 8.. -> k-nomial radix 8",
      "F");
  ASSERT_EQ(rules.list.size(), 4u);
  EXPECT_EQ(rules.file, "F");
  const Rule& first = rules.list[0];
  EXPECT_EQ(first.algorithm->collective, Collective::all_reduce);
  EXPECT_EQ(first.algorithm->name, "recursive-doubling");
  EXPECT_EQ(first.line, 2);
  EXPECT_EQ(first.bytes, (Interval{0, 4096}));
  EXPECT_EQ(first.ranks, (Interval{2, 16}));
  EXPECT_EQ(first.ranks_per_node, (Interval{.least = 8}));
  EXPECT_EQ(rules.list[1].parameters.segments, 32);
  EXPECT_EQ(rules.list[1].bytes, (Interval{1 << 20, 1 << 20}));
  EXPECT_EQ(rules.list[2].parameters.grid, Shape({2, 3}));
  EXPECT_EQ(rules.list[2].ranks, (Interval{6, 6})) << "those that the grid is of";
  EXPECT_EQ(origin_of(rules.list[2], rules), "line 5 of F");
  EXPECT_EQ(rules.list[3].parameters.radix, 8);
}

TEST(Rules, NameEveryAlgorithmOfTheCatalogue) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    const std::string text = fmt::format("{} -> {}", name_of(algorithm->collective), algorithm->name);
    EXPECT_EQ(parse_rules(text, "F").list.at(0).algorithm, algorithm) << text;
  }
  const auto ring = parse_rules("all-reduce -> ring", "F").list.at(0).algorithm;
  for (const char* name : {"allreduce", "MPI_Allreduce", "All_Reduce"})
    EXPECT_EQ(parse_rules(std::string(name) + " -> ring", "F").list.at(0).algorithm, ring) << name;
}

// Ranks that are processes tell one another rules by places in the catalogue.
TEST(Rules, NameNoAlgorithmOfAProgramsOwn) {
  Algorithm own = *algorithms::find(Collective::broadcast, "binomial");
  algorithms::add_own("of-the-program", own);
  ASSERT_NE(algorithms::find(Collective::broadcast, "of-the-program"), nullptr);
  EXPECT_THROW(parse_rules("broadcast -> of-the-program", "F"), Error);
}

TEST(Rules, AreRefusedWithLineValueAndRemedy) {
  struct Case {
    const char *text, *complaint;
  };
  for (const auto& [text, complaint] : {
           Case{"\nall-reduse -> ring", "rules:2: there is no collective 'all-reduse'; the nearest is 'all-reduce'"},
           Case{"all-reduce -> rign", "rules:1: there is no algorithm 'rign' for all-reduce; the nearest is 'ring'"},
           Case{"all-reduce byte 8 -> ring", "rules:1: a rule knows no 'byte'; the nearest is 'bytes'"},
           Case{"all-reduce ring", "rules:1: a rule knows no 'ring'; "},
           Case{"allreduse -> ring", "rules:1: there is no collective 'allreduse'; the nearest is 'allreduce'"},
           Case{"all-reduce ranks 4 ranks 5 -> ring", "rules:1: a rule says 'ranks' once; leave one of the two out"},
           Case{"broadcast -> chain segments 8 segments 9", "rules:1: a rule says 'segments' once"},
           Case{"all-reduce", "rules:1: the rule ends without an algorithm; write it as: all-reduce bytes 8..64KiB"},
           Case{"all-reduce ->", "rules:1: after '->' there has to be an algorithm"},
           Case{"all-reduce bytes", "rules:1: after 'bytes' there has to be a range of sizes, such as 8..64KiB"},
           Case{"all-reduce bytes 64KiB..8 -> ring", "rules:1: the range 64KiB..8 is empty; write the smaller end"},
           Case{"all-reduce ranks 0 -> ring", "rules:1: a number of ranks"},
           Case{"broadcast -> chain segment 3", "rules:1: an algorithm has no parameter 'segment'; the nearest is"},
           Case{"broadcast -> chain segments 0", "rules:1: a number of segments"},
           Case{"barrier bytes 8.. -> tree", "rules:1: a barrier moves no data; leave bytes out"},
           Case{"broadcast -> binomial radix 8",
                "rules:1: broadcast by binomial has no parameters, not a radix; leave radix out, or take k-nomial"},
           Case{"broadcast -> mesh grid 4", "rules:1: a grid has two extents, such as 2x4, not '4'"},
           Case{"broadcast -> mesh grid 2x4x", "rules:1: an extent of a grid"},
           Case{"broadcast ranks 5 -> mesh grid 2x2", "rules:1: a grid of 4 ranks is for none of the ranks"},
           Case{"broadcast -> binomial\nbroadcast bytes 8 -> chain",
                "rules:2: line 1 holds for all calls of this rule"},
       }) {
    EXPECT_THAT(complaint_about(text), StartsWith(complaint)) << text;
  }
  // One that does not fit every call leaves some to the next.
  EXPECT_EQ(complaint_about("all-gather -> recursive-doubling\nall-gather -> ring"), "");
  std::string many;
  for (int k = 0; k < 65; ++k) many += fmt::format("all-reduce ranks {} -> ring\n", k + 1);
  EXPECT_THAT(complaint_about(many), HasSubstr("rules:65: there are more than 64 rules"));
}

TEST(Rules, OfAnyTextAreReadOrRefusedWithTheirLine) {
  std::mt19937 random(13);
  const std::vector<std::string> words{"all-reduce", "broadcast", "bytes", "ranks", "8..", "..64KiB", "2..4", "->",
                                       "ring",       "chain",     "grid",  "2x2",   "x",   "-1",      "#",    "\n"};
  for (int k = 0; k < 2000; ++k) {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) text += words[random() % words.size()] + ' ';
    EXPECT_THAT(complaint_about(text), testing::AnyOf("", testing::MatchesRegex("rules:[0-9]+: .+"))) << text;
  }
}

Problem all_reduce_of(int ranks, std::int64_t count) {
  return {.collective = Collective::all_reduce, .ranks = ranks, .count = count};
}

TEST(Rules, TheFirstThatFitsHolds) {
  const Rules rules = parse_rules(
      "all-reduce bytes 64..128 ranks 4 -> ring\n"
      "all-reduce ranks 2..8 -> recursive-doubling\n"
      "all-reduce ranks-per-node 3 -> flat\n",
      "F");
  const auto name = [&](const Problem& problem, const Layout& layout = {}) -> std::string_view {
    const Rule* const rule = rule_for(rules, problem, 8, layout);
    return rule == nullptr ? "" : rule->algorithm->name;
  };
  EXPECT_EQ(name(all_reduce_of(4, 7)), "recursive-doubling");
  EXPECT_EQ(name(all_reduce_of(4, 8)), "ring");
  EXPECT_EQ(name(all_reduce_of(4, 16)), "ring");
  EXPECT_EQ(name(all_reduce_of(4, 17)), "recursive-doubling");
  EXPECT_EQ(name(all_reduce_of(9, 8)), "");
  EXPECT_EQ(name({.collective = Collective::broadcast, .ranks = 4, .count = 8}), "");
  const std::vector<int> nodes{3, 3, 3};
  EXPECT_EQ(name(all_reduce_of(9, 8), Layout::of_nodes(nodes)), "flat");
}

// Algorithms that a rule names have their needs met, whatever is called.
TEST(Rules, NeverNameWhatDoesNotFit) {
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    const Rules rules = parse_rules(fmt::format("{} -> {}", name_of(algorithm->collective), algorithm->name), "F");
    for (int ranks = 1; ranks <= 9; ++ranks) {
      for (const bool commutative : {true, false}) {
        Problem problem{.collective = algorithm->collective, .ranks = ranks, .count = 5, .commutative = commutative};
        if (algorithm->collective == Collective::barrier) problem.count = 0;
        const Rule* const rule = rule_for(rules, problem, 8, {});
        const bool fits = !algorithm->for_several_nodes && !unmet_need(*algorithm, problem);
        EXPECT_EQ(rule != nullptr, fits) << algorithm->name << ", " << describe(problem);
      }
    }
  }
}

TEST(Rules, DecideUnlessSomebodyNamesAnAlgorithm) {
  const MachineModel model(threads_costs, 2);
  const Rules rules = parse_rules("broadcast bytes 1KiB.. -> chain segments 5\n", "F");
  const Problem large{.collective = Collective::broadcast, .ranks = 4, .count = 1000};
  const Problem small{.collective = Collective::broadcast, .ranks = 4, .count = 10};
  const Decision ruled = decide(large, ChoiceRequest{}, 8, model, rules);
  EXPECT_EQ(ruled.choice.algorithm->name, "chain");
  EXPECT_EQ(ruled.choice.parameters.segments, 5);
  EXPECT_EQ(ruled.by, "line 1 of F");
  EXPECT_EQ(decide(large, ChoiceRequest{.parameters = {.segments = 3, .grid = {}}}, 8, model, rules)
                .choice.parameters.segments,
            3);
  EXPECT_EQ(decide(small, ChoiceRequest{}, 8, model, rules).choice, choose(small, {}, 8, model));
  EXPECT_EQ(decide(small, ChoiceRequest{}, 8, model, rules).by, "");
  const Decision named = decide(large, ChoiceRequest{.algorithm = "binomial"}, 8, model, rules);
  EXPECT_EQ(named.choice.algorithm->name, "binomial");
  EXPECT_EQ(named.by, "the call");
}

TEST(Rules, AreNamedWithWhatTheyOverride) {
  const Problem problem = all_reduce_of(4, 100'000);
  const MachineModel model(threads_costs, 2);
  const std::string_view best = choose(problem, {}, 8, model).algorithm->name;
  const std::string_view worst = ranking_of(problem, {}, 8, model).back().choice.algorithm->name;
  const auto told = [&](std::string_view name) {
    const PlanCache plans(0, {}, std::make_unique<MachineModel>(threads_costs, 2), {},
                          std::make_shared<const Rules>(parse_rules(fmt::format("all-reduce -> {}", name), "F")));
    return plans.explanation(problem, {}, 8);
  };
  EXPECT_THAT(told(worst),
              testing::ContainsRegex(fmt::format(
                  "{} is what line 1 of F names; {} is predicted to be [0-9.]+ times as fast", worst, best)));
  EXPECT_THAT(told(best), HasSubstr("is what line 1 of F names; the model would take it, too."));
}

/// A folder of this test's own, where rules are looked for.
class RulesPlaces : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "tutti");
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    unsetenv("TUTTI_RULES");
  }
  void TearDown() override {
    fs::remove_all(folder_);
    setenv("TUTTI_RULES", "none", 1);
  }
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  FoundRules find() const { return find_rules(folder_ / "etc"); }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("tutti-rules-" + std::to_string(getpid()));
};

TEST_F(RulesPlaces, NamedGoBeforeOwnAndThoseBeforeTheAdministrators) {
  EXPECT_TRUE(find().rules.list.empty());
  EXPECT_EQ(find().complaint, "");
  const auto name = [&] { return find().rules.list.at(0).algorithm->name; };
  write(folder_ / "etc", "all-reduce -> ring");
  EXPECT_EQ(name(), "ring");
  EXPECT_EQ(find().rules.file, (folder_ / "etc").string());
  write(folder_ / "tutti" / "rules", "all-reduce -> flat");
  EXPECT_EQ(name(), "flat");
  write(folder_ / "named", "all-reduce -> recursive-doubling");
  setenv("TUTTI_RULES", (folder_ / "named").c_str(), 1);
  EXPECT_EQ(name(), "recursive-doubling");
  setenv("TUTTI_RULES", "none", 1);
  EXPECT_TRUE(find().rules.list.empty());
}

// A program goes by the same rules wherever it is started, as by a profile.
TEST_F(RulesPlaces, RelativeFoldersCountAsUnset) {
  const fs::path before = fs::current_path();
  const std::string home = std::getenv("HOME") == nullptr ? "/" : std::getenv("HOME");
  fs::create_directories(folder_ / "here" / "tutti");
  write(folder_ / "here" / "tutti" / "rules", "all-reduce -> ring");
  setenv("XDG_CONFIG_HOME", (folder_ / "here").c_str(), 1);
  EXPECT_EQ(find().rules.list.size(), 1U);
  fs::current_path(folder_);
  setenv("XDG_CONFIG_HOME", "here", 1);
  setenv("HOME", "here", 1);
  EXPECT_TRUE(find().rules.list.empty());
  fs::current_path(before);
  setenv("HOME", home.c_str(), 1);
}

TEST_F(RulesPlaces, AFileWithAMistakeHoldsInNoPart) {
  const std::string file = (folder_ / "tutti" / "rules").string();
  write(file, "all-reduce -> ring\nbroadcast -> rign\n");
  EXPECT_TRUE(find().rules.list.empty());
  EXPECT_THAT(find().complaint, StartsWith(file + ":2: there is no algorithm 'rign' for broadcast"));
  EXPECT_THAT(find().complaint, testing::EndsWith("; no rule of this file holds"));
  setenv("TUTTI_RULES", "/no/such/rules", 1);
  EXPECT_THAT(find().complaint, StartsWith("TUTTI_RULES=/no/such/rules: there is no such file"));
}

// Editors of other systems write so.
TEST(Rules, MayBeginWithAByteOrderMarkAndEndLinesInTwoCharacters) {
  const Rules rules = parse_rules(
      "\xef\xbb\xbf"
      "all-reduce -> ring\r\nbroadcast -> chain\r\n",
      "rules");
  ASSERT_EQ(rules.list.size(), 2U);
  EXPECT_EQ(rules.list[0].algorithm->name, "ring");
}

// Each rank knows what it sends and gets itself: a rule for some bytes would hold on one rank and not on another.
TEST(Rules, ForSomeBytesHoldNotWhereRanksKnowTheirOwnCountsAlone) {
  const Rules rules = parse_rules("all-to-all bytes ..64 -> linear\nall-to-all -> pairwise-modular\n", "rules");
  Problem problem{.collective = Collective::all_to_all, .ranks = 3, .counts = std::vector<std::int64_t>(9, 1)};
  ASSERT_NE(rule_for(rules, problem, 8, {}), nullptr);
  EXPECT_EQ(rule_for(rules, problem, 8, {})->line, 1) << "all ranks know all counts";
  problem.known_to = 1;
  for (const std::int64_t count : {1, 100}) {
    problem.counts.assign(6, count);
    ASSERT_NE(rule_for(rules, problem, 8, {}), nullptr);
    EXPECT_EQ(rule_for(rules, problem, 8, {})->line, 2) << count;
  }
}

}  // namespace
}  // namespace tutti
