/// @file
/// Answers in symbols: `tutti simulate --symbolic` and `tutti price --symbolic`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.hpp"
#include "support/command_json.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

std::string path_of(const std::string& line) {
  return json("simulate " + line + " --json")["critical_path"].get<std::string>();
}

// The lecture's scenarios, with the letters that its quizzes ask for.
TEST(Symbolic, AnswersTheLecturesScenarios) {
  EXPECT_EQ(path_of("messages 0-2 6-3 --topology linear:8 --symbols a,b,n"), "a + b n");
  EXPECT_EQ(path_of("messages 1-6 7-4 --topology linear:8 --symbols a,b,n"), "a + b n");
  EXPECT_EQ(path_of("messages 1-6 4-7 --topology linear:8 --symbols a,b,n"), "a + 2 b n");
  const Json fourth = json("simulate messages 0-8 4-6 --topology mesh:3x3 --symbols a,b,n --json");
  ASSERT_EQ(fourth["ways"].size(), 2u);
  EXPECT_EQ(fourth["ways"][0]["time"], "a + b n");
  EXPECT_EQ(fourth["ways"][1]["time"], "a + 2 b n");
  const std::string text = tutti("simulate messages 0-8 4-6 --topology mesh:3x3 --symbols a,b,n").out;
  EXPECT_THAT(text, HasSubstr("It depends"));
  EXPECT_THAT(text, HasSubstr("no link carries two messages at a time"));
  EXPECT_THAT(text, HasSubstr("2 messages are on a link at a time, from 3 to 6"));
}

TEST(Symbolic, AnswersForSwitchingAndPackets) {
  EXPECT_EQ(path_of("messages 0-4 --topology linear:8 --switching store-and-forward --symbolic"), "ts + 4 tw m");
  EXPECT_EQ(path_of("messages 0-4 --topology linear:8 --switching cut-through --symbolic"), "ts + tw m + 4 th");
  EXPECT_EQ(path_of("messages 0-7 --topology linear:8 --switching store-and-forward --packet 1 --symbolic"),
            "ts + tw (m + 6)");
  const Ran text =
      tutti("simulate messages 0-7 --topology linear:8 --switching store-and-forward --packet 1 --symbolic");
  EXPECT_THAT(text.out, HasSubstr("~ ts + tw m where m ≫ 6"));
}

TEST(Symbolic, SaysWhatDecides) {
  const Json result =
      json("simulate messages 0-1:64KiB 2-3:1KiB 4-5:1KiB 4-6:1KiB 4-7:1KiB --ranks 8 --symbolic --json");
  EXPECT_EQ(result["critical_path"], "max(3 (ts + tw m), ts + 64 tw m)");
  const Json& cases = result["critical_path_by_cases"]["cases"];
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0]["where"], "m <= 2/61 ts/tw");
  EXPECT_EQ(cases[1]["where"], "m >= 2/61 ts/tw");
  EXPECT_EQ(cases[1]["tw_m"], "64");
}

TEST(Symbolic, HasTheFormulaAndTheBoundsOfACollective) {
  const Json result = json("simulate broadcast --algorithm binomial --ranks 8 --bytes 1KiB --symbolic --json");
  EXPECT_EQ(result["critical_path"], "3 (ts + tw m)");
  EXPECT_EQ(result["formula"], "ceil(log2 p)(ts + tw m)");
  EXPECT_EQ(result["bounds"][0]["formula"], "ts ceil(log2 p)");
  EXPECT_EQ(result["bounds"][1]["time"], "ts + tw m");
  EXPECT_EQ(result["growth"], "ts log p + tw m");
  EXPECT_NEAR(result["seconds"].get<double>(), 3 * (1e-6 + 1024e-9), 1e-15);
  const std::string text = tutti("simulate broadcast --algorithm binomial --ranks 8 --symbols alpha,beta,n").out;
  EXPECT_THAT(text, HasSubstr("Ω(alpha log p + beta n)"));
  EXPECT_THAT(text, HasSubstr("3 (alpha + beta n)"));
}

TEST(Symbolic, PricesAllAlgorithmsAndSaysFromWhichSizeAnotherIsFaster) {
  const Json result = json("price reduce --ranks 8 --symbols a,b,n --json");
  EXPECT_EQ(result["algorithms"][0]["time"], "3 (a + b n)");
  EXPECT_EQ(result["fastest"][0]["algorithm"], "binomial");
  EXPECT_THAT(result["fastest"][0]["where"].get<std::string>(), testing::StartsWith("n <= "));
  EXPECT_EQ(result["growth"], "a log p + b n");
  const std::string text = tutti("price all-gather --topology ring:8 --switching store-and-forward --symbolic").out;
  EXPECT_THAT(text, HasSubstr("7 (ts + tw m)"));
  EXPECT_THAT(text, HasSubstr("(p - 1)(ts + tw m)"));
  EXPECT_THAT(text, HasSubstr("Ω(ts log p + tw m p)"));
}

// Local rearrangement has a term of its own, in closed forms and beside simulated times, and is part of the order.
TEST(Symbolic, HasATermForLocalRearrangement) {
  const std::string line = "price all-to-all --ranks 8 --algorithm ";
  const Json form = json(line + "hypercube --tr 1ns --symbolic --json")["algorithms"][0];
  EXPECT_EQ(form["time"], "3 ts + 12 tw m + 24 tr m");
  EXPECT_EQ(form["cases"][0]["tr_m"], "24");
  EXPECT_EQ(json(line + "hypercube --symbolic --json")["algorithms"][0]["time"], "3 ts + 12 tw m");
  const std::string ring = "price all-to-all --topology ring:9 --algorithm mesh --grid 3x3 --tr 1ns";
  const Json simulated = json(ring + " --symbolic --json")["algorithms"][0];
  EXPECT_EQ(simulated["basis"], "simulation");
  EXPECT_EQ(simulated["cases"][0]["tr_m"], "9");
}

TEST(Symbolic, RefusesWhatItCannotAnswer) {
  EXPECT_THAT(tutti("price reduce --ranks 8 --symbolic --search").err, HasSubstr("leave --plot, --search"));
  EXPECT_THAT(tutti("simulate broadcast --ranks 8 --symbols a,b").err, HasSubstr("write three different ones"));
  for (const std::string name : {"p", "S", "log", "th"}) {
    EXPECT_THAT(tutti("simulate broadcast --ranks 8 --symbols a,b," + name).err,
                HasSubstr("'" + name + "' means something else in formulas"));
  }
  EXPECT_THAT(tutti("simulate broadcast --ranks 8 --symbolic --bottleneck").err, HasSubstr("leave --timeline"));
  EXPECT_EQ(tutti("price schedule none.json --symbolic").status, 2);
}

// Formulas are found for an m that all divide, and for th above 0; the seconds are those of what was asked.
TEST(Symbolic, SecondsAreThoseOfTheRun) {
  const struct {
    std::string run, why;
  } cases[] = {
      {"all-reduce --topology full:7 --algorithm direct --bytes 4096", "is for an m that ranks and segments divide"},
      {"all-reduce --topology full:7 --algorithm direct --bytes 4200", ""},
      {"all-gather --topology tree:8 --switching ct --algorithm linear --bytes 5040", "is for th above 0"},
      {"all-gather --topology tree:8 --switching ct --th 1ns --algorithm linear --bytes 5040", ""},
      {"all-reduce --topology linear:7 --switching sf --algorithm mesh-multi-port --bytes 14000", "holds nearby alone"},
      {"broadcast --ranks 5 --bytes 0 --algorithm binomial", "is for m above 0"},
      {"gather --ranks 3 --counts 1,0,5 --algorithm linear", ""},
  };
  for (const auto& [run, why] : cases) {
    const Json symbolic = json("simulate " + run + " --symbolic --json");
    const double plain = json("simulate " + run + " --json")["seconds"];
    EXPECT_EQ(symbolic["seconds"], plain) << run;
    const double formula = symbolic["formula_seconds"];
    const std::string text = tutti("simulate " + run + " --symbolic").out;
    if (why.empty()) {
      EXPECT_NEAR(formula, plain, 1e-9 * plain) << run;
      EXPECT_THAT(text, testing::Not(HasSubstr("the formula, which"))) << run;
    } else {
      EXPECT_GT(std::abs(formula - plain), 1e-9 * plain) << run;
      EXPECT_THAT(text, HasSubstr(why)) << run;
    }
  }
}

}  // namespace
}  // namespace tutti::test
