/// @file
/// `tutti plan`: its table, its JSON, its plot, and what a running program says of its plans. No test depends on what
/// is measured.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "support/command.hpp"
#include "support/sanitizers.hpp"
#include "support/xml.hpp"
#include "unit/app/plan_command.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

constexpr const char* collectives[] = {"broadcast",      "reduce",     "all-reduce", "scan",
                                       "exclusive-scan", "scatter",    "gather",     "all-gather",
                                       "reduce-scatter", "all-to-all", "shift"};

// Returns the transport between the ranks, as the command calls it.
std::string connecting(const std::string& transport) { return transport == "processes" ? processes_here : transport; }

void expect_row(const Json& row, bool measured) {
  for (const char* key : {"algorithm", "parameters", "needs", "proved", "predicted_seconds", "predicted_once_seconds",
                          "measured_seconds", "error", "ratio"}) {
    EXPECT_TRUE(row.contains(key)) << key;
  }
  EXPECT_EQ(row["proved"], true) << row;
  EXPECT_GE(row["ratio"], 1) << "nothing is predicted below the bound: " << row;
  EXPECT_EQ(row["measured_seconds"].is_null(), !measured);
  EXPECT_EQ(row["error"].is_null(), !measured);
  if (!measured) return;
  const double seconds = row["measured_seconds"];
  EXPECT_GT(seconds, 0);
  EXPECT_NEAR(row["error"].get<double>(), row["predicted_seconds"].get<double>() / seconds - 1, 1e-9);
}

TEST(Plan, IsNeverSlowerThanWhatRivalsTake) {
  for (const char* network : {"--topology dgx-1v", "--topology hypercube:4", "--topology ring:6", "--nodes 2x3"}) {
    const Json compared = json(std::string("--rivals --bytes 8..1MiB ") + network);
    EXPECT_EQ(compared.size(), 2u);
    for (const Json& score : compared) {
      EXPECT_EQ(score["slower"], 0) << score;
      EXPECT_GE(score["gain"], 1);
      for (const Json& call : score["calls"]) {
        EXPECT_NE(call["taken"], "");
        EXPECT_EQ(call["chosen"].is_null(), call["taken_seconds"].is_null());
        if (call["chosen"].is_null()) continue;
        EXPECT_LE(call["chosen_seconds"], call["taken_seconds"].get<double>() * (1 + 1e-9));
      }
    }
  }
  EXPECT_THAT(text("--rivals --topology ring:4 --bytes 64"), HasSubstr("coll_tuned_decision_fixed.c"));
}

TEST(Plan, RanksAllThatFitByWhatIsPredicted) {
  for (const char* collective : collectives) {
    const Json planned = json(std::string(collective) + " --ranks 5 --cores 3 --bytes 1KiB");
    EXPECT_EQ(planned["collective"], collective);
    EXPECT_EQ(planned["ranks"], 5);
    EXPECT_EQ(planned["costs"], "threads on 3 cores, built-in costs");
    ASSERT_EQ(planned["sizes"].size(), 1u);
    const Json& size = planned["sizes"][0];
    EXPECT_EQ(size["bytes"], 1024);
    EXPECT_EQ(size["count"], 128);
    EXPECT_EQ(size["chosen"], size["algorithms"][0]["algorithm"]);
    EXPECT_THAT(size["why"].get<std::string>(), testing::StartsWith(size["chosen"].get<std::string>() + " "));
    double last = 0;
    for (const Json& row : size["algorithms"]) {
      expect_row(row, false);
      EXPECT_GE(row["predicted_seconds"], last * (1 - 1e-9));
      last = row["predicted_seconds"];
    }
    EXPECT_TRUE(planned["winners"].empty());
  }
}

TEST(Plan, MeasuresWhatItPredicts) {
  for (const std::string transport : {"threads", "processes", "system-copies"}) {
    const Json planned = json("all-reduce --ranks 3 --bytes 256 --run --seconds 1ms --transport " + transport);
    ASSERT_EQ(planned["sizes"].size(), 1u);
    EXPECT_THAT(planned["costs"].get<std::string>(), testing::StartsWith(connecting(transport) + " on "));
    for (const Json& row : planned["sizes"][0]["algorithms"]) expect_row(row, true);
  }
  const std::string table = text("gather --ranks 2 --bytes 64 --run --seconds 1ms");
  EXPECT_THAT(table, HasSubstr("MEASURED"));
  EXPECT_THAT(table, HasSubstr("Measured, "));
  EXPECT_THAT(text("barrier --ranks 2 --run --seconds 1ms"), HasSubstr("MEASURED"));
}

// JSON's `ratio` is of the prediction: the bound is of the same costs. Measured times stand beside it.
TEST(Plan, ComparesWhatItPredictsWithTheBound) {
  const std::string line = "all-reduce --ranks 2 --bytes 64KiB";
  const auto ratio_of = [](const std::string& table, const std::string& algorithm) {
    const std::size_t begin = table.find("\n" + algorithm + " ");
    if (begin == std::string::npos) return std::string("no row of " + algorithm);
    const std::vector<std::string> cells = words_of(table.substr(begin + 1, table.find('\n', begin + 1) - begin - 1));
    return cells.back();
  };
  const std::string measured = text(line + " --run --seconds 1ms");
  const Json planned = json(line);
  ASSERT_FALSE(planned["sizes"][0]["algorithms"].empty());
  for (const Json& row : planned["sizes"][0]["algorithms"]) {
    const std::string name = row["algorithm"];
    EXPECT_EQ(ratio_of(measured, name), ratio_of(text(line), name)) << measured;
  }
}

TEST(Plan, IsARankWhereALauncherHasStartedIt) {
  const Ran ran =
      run_command(TUTTI_COMMAND, words_of("run -n 2 " TUTTI_COMMAND " plan scan --bytes 8 --run --seconds 1ms --json"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(Json::parse(ran.out)["ranks"], 2);
  const Ran refused =
      run_command(TUTTI_COMMAND,
                  words_of("run -n 2 " TUTTI_COMMAND " plan scan --bytes 8 --run --transport threads --seconds 1ms"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              HasSubstr(std::string("as 2 ranks (") + processes_here + "), not as threads; leave --transport out"));
}

TEST(Plan, PutsSizesAgainstAlgorithms) {
  const Json planned = json("all-reduce --ranks 4 --cores 4 --bytes 8..1MiB");
  EXPECT_EQ(planned["sizes"].size(), 18u);
  const Json& winners = planned["winners"];
  ASSERT_FALSE(winners.empty());
  EXPECT_EQ(winners.front()["from_bytes"], 8);
  EXPECT_EQ(winners.back()["to_bytes"], 1 << 20);
  for (std::size_t k = 1; k < winners.size(); ++k) {
    EXPECT_EQ(winners[k]["from_bytes"], winners[k - 1]["to_bytes"].get<int>() + 1);
    EXPECT_NE(winners[k]["algorithm"], winners[k - 1]["algorithm"]);
  }
  for (const Json& size : planned["sizes"]) {
    for (const Json& winner : winners) {
      const bool rules = winner["from_bytes"] <= size["bytes"] && size["bytes"] <= winner["to_bytes"];
      EXPECT_TRUE(!rules || winner["algorithm"] == size["chosen"]) << size["bytes"];
    }
  }
  const std::string table = text("all-reduce --ranks 4 --cores 4 --bytes 8..1MiB");
  EXPECT_THAT(table, HasSubstr("Predicted to be the fastest, by size:\n  8B to "));
  EXPECT_THAT(table, HasSubstr(" *"));
}

TEST(Plan, SaysWhyAndWhereTheRunnerUpWouldWin) {
  const std::string table = text("broadcast --ranks 8 --cores 8 --bytes 64KiB");
  EXPECT_THAT(table, HasSubstr("broadcast of 8192 elements over 8 ranks, root 0 (64KiB); threads on 8 cores"));
  EXPECT_THAT(table, HasSubstr("no schedule takes less than "));
  EXPECT_THAT(table, HasSubstr(" the runner-up: "));
  EXPECT_THAT(table, HasSubstr(" would win "));
}

TEST(Plan, HasNodesAndNetworks) {
  const Json nodes = json("all-reduce --nodes 2x3 --cores 2 --bytes 1KiB");
  EXPECT_EQ(nodes["ranks"], 6);
  EXPECT_EQ(nodes["costs"], "threads on 2 cores of each of 2 nodes, MPI between them, built-in costs");
  EXPECT_THAT(nodes["sizes"][0]["algorithms"].dump(), HasSubstr("multi-leader"));
}

void expect_prices_of_price(const std::string& words) {
  const Json planned = json(words)["sizes"][0];
  const Json priced = Json::parse(run_command(TUTTI_COMMAND, words_of("price " + words + " --json")).out)["sizes"][0];
  std::size_t compared = 0;
  for (const Json& row : planned["algorithms"]) {
    for (const Json& price : priced["algorithms"]) {
      if (price["algorithm"] != row["algorithm"]) continue;
      const double seconds = price["seconds"].get<double>();
      EXPECT_NEAR(row["predicted_seconds"].get<double>(), seconds, 1e-9 * seconds) << row;
      const std::string parameters = row["parameters"];
      if (parameters.ends_with("segments")) {
        EXPECT_EQ(parameters, price["segments"].dump() + " segments") << row;
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, planned["algorithms"].size());
  EXPECT_EQ(planned["bound_seconds"], priced["lower_bound"]["seconds"]);
}

TEST(Plan, HasThePricesOfANetwork) {
  expect_prices_of_price("all-gather --topology torus:3x3 --switching cut-through --bytes 1KiB");
  // In segments that suit the rounds, by simulation and by closed forms.
  expect_prices_of_price("broadcast --topology torus:3x5 --bytes 1MiB");
  expect_prices_of_price("broadcast --topology full:15 --bytes 1MiB");
}

TEST(Plan, DrawsPredictedAndMeasuredTimes) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "tutti-plan.svg";
  text("reduce --ranks 2 --bytes 64..1KiB --run --seconds 1ms --plot " + file.string());
  std::ifstream stream(file);
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_NO_THROW((void)elements_of(svg)) << svg;
  EXPECT_THAT(svg, HasSubstr("(measured)"));
  EXPECT_THAT(svg, HasSubstr("bound"));
  std::filesystem::remove(file);
  const std::string nothing = "plan reduce --ranks 1 --bytes 64..1KiB --plot " + file.string();
  EXPECT_THAT(run_command(TUTTI_COMMAND, words_of(nothing)).err, HasSubstr("takes no time, so that there is nothing"));
}

TEST(Plan, APlotNamesAllWinnersTheFirstToo) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "tutti-winners.svg";
  const std::string range = "all-reduce --ranks 16 --topology full:16 --bytes 8..1MiB";
  text(range + " --plot " + file.string());
  std::ifstream stream(file);
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  const std::string first = json(range)["winners"][0]["algorithm"];
  EXPECT_THAT(svg, HasSubstr("the fastest, from small sizes to large: " + first));
  std::filesystem::remove(file);
}

// Between the sizes that were asked for, lines are straight; where another algorithm takes over they have a point.
TEST(Plan, APlotHasItsRingsOnTheLines) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "tutti-rings.svg";
  text("all-reduce --ranks 16 --topology full:16 --bytes 8..1MiB --plot " + file.string());
  std::ifstream stream(file);
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  std::string points = " ";
  for (std::size_t at = svg.find("points=\""); at != std::string::npos; at = svg.find("points=\"", at + 1))
    points += svg.substr(at + 8, svg.find('"', at + 8) - at - 8) + ' ';
  const std::regex ring(R"re(<circle cx="([^"]*)" cy="([^"]*)" r="6")re");
  int rings = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), ring), end; at != end; ++at, ++rings)
    EXPECT_THAT(points, HasSubstr(' ' + (*at)[1].str() + ',' + (*at)[2].str() + ' '));
  EXPECT_GT(rings, 0) << svg;
  std::filesystem::remove(file);
}

// Nothing that needs all ranks ends before the last is there; ranks that come together are those without a skew.
TEST(Plan, SaysWhichAlgorithmIsBestWhereRanksComeUnevenly) {
  for (const std::string where : {"--cores 5", "--topology full:5"}) {
    const std::string line = "all-reduce --ranks 5 --bytes 1KiB " + where;
    const Json late = json(line + " --skew 3:1ms")["sizes"][0];
    EXPECT_EQ(late["chosen_if_even"], json(line)["sizes"][0]["chosen"]) << where;
    for (const Json& row : late["algorithms"]) EXPECT_GE(row["predicted_seconds"], 1e-3) << row;
    const Json even = json(line + " --skew 3:0s")["sizes"][0];
    for (const Json& row : even["algorithms"]) EXPECT_LT(row["predicted_seconds"], 1e-3) << row;
  }
  // The last rank of the chain alone is late: those before it have the message by then, and along the tree, too.
  const Json leaf = json("broadcast --ranks 4 --cores 4 --bytes 8 --skew 3:1ms")["sizes"][0];
  for (const Json& row : leaf["algorithms"]) EXPECT_GE(row["predicted_seconds"], 1e-3);
  const Json there = json("broadcast --ranks 4 --topology full:4 --bytes 8 --skew 0:1ms")["sizes"][0];
  EXPECT_GE(there["bound_seconds"], 1e-3);
  for (const Json& row : there["algorithms"]) EXPECT_GE(row["predicted_seconds"], there["bound_seconds"]);
  const std::string text_late = text("all-reduce --ranks 4 --cores 4 --bytes 1KiB --skew 0:20us,2:5us");
  EXPECT_THAT(text_late, HasSubstr("; one call, rank 0 comes after 20us, rank 2 comes after 5us"));
  EXPECT_THAT(text_late, HasSubstr("If all ranks came together, "));
  EXPECT_THAT(text("all-reduce --ranks 4 --cores 4 --bytes 8..1MiB --skew 1:1ms"),
              HasSubstr("If all ranks came together:\n"));
  for (const char* wrong : {"--skew 4:1us", "--skew 1:1us --run", "--skew 1:0s:x2"})
    EXPECT_EQ(plan(std::string("all-reduce --ranks 4 --bytes 8 ") + wrong).status, 2) << wrong;
}

TEST(Plan, HoldsPredictionsAgainstGuidelines) {
  const Ran ran = plan("--check --ranks 2..3 --cores 2 --bytes 8..64KiB --json");
  const Json all = Json::parse(ran.out);
  EXPECT_GE(all.size(), 15u);
  int broken = 0;
  for (const Json& guideline : all) {
    EXPECT_THAT(guideline["guideline"].get<std::string>(), HasSubstr(" <= "));
    EXPECT_EQ(guideline["cases"], 28);
    EXPECT_EQ(guideline["broken"] == 0, guideline["worst"].is_null());
    EXPECT_LE(guideline["by_short_messages"], guideline["broken"]);
    // Two halves are quicker only where they are short and the whole is not.
    if (guideline["reason"] == "a message may be sent in two halves") {
      EXPECT_EQ(guideline["by_short_messages"], guideline["broken"]) << guideline["guideline"];
    }
    broken += guideline["broken"] == 0 ? 0 : 1;
  }
  EXPECT_EQ(ran.status, broken == 0 ? 0 : 1);
  EXPECT_THAT(plan("--check --ranks 2 --bytes 8").out, testing::ContainsRegex("[0-9]+ of [0-9]+ guidelines are kept"));
}

TEST(Plan, HoldsMeasurementsAgainstGuidelines) {
  for (const std::string start :
       {" plan --check --run --ranks 2", " plan --check --run --ranks 2 --transport processes",
        " run -n 3 " TUTTI_COMMAND " plan --check --run"}) {
    const Ran ran = run_command(TUTTI_COMMAND, words_of(start + " --bytes 8..64 --seconds 1ms --json"));
    ASSERT_TRUE(ran.status == 0 || ran.status == 1) << start << ran.err;
    EXPECT_THAT(ran.err, testing::Not(HasSubstr("status 2"))) << "ranks that do not speak for all";
    const Json all = Json::parse(ran.out);
    EXPECT_GE(all.size(), 15u) << start;
    bool kept = true;
    for (const Json& guideline : all) {
      EXPECT_THAT(guideline["guideline"].get<std::string>(), testing::Not(HasSubstr("shift")));
      kept = kept && guideline["broken"] == 0;
      if (guideline["broken"] == 0) continue;
      EXPECT_GT(guideline["worst"]["left_seconds"], guideline["worst"]["right_seconds"]);
      EXPECT_EQ(guideline["worst"]["ranks"], 2);
    }
    EXPECT_EQ(ran.status, kept ? 0 : 1);
  }
  EXPECT_THAT(run_command(TUTTI_COMMAND, words_of("run -n 2 " TUTTI_COMMAND " plan --check --run")).err,
              HasSubstr("start 3 ranks at least, not 2"));
}

Ran plan_with(const std::string& variable, const std::string& line) {
  return run_command("/usr/bin/env",
                     words_of("TUTTI_PROFILE=built-in " + variable + " " TUTTI_COMMAND " plan " + line));
}

// Algorithms that were made for several nodes are no candidates on one, where the environment may name them.
TEST(Plan, RunsWhereWhatIsNamedIsNoCandidate) {
  for (const std::string sizes : {"8", "8..16"}) {
    const Ran ran =
        plan_with("TUTTI_ALGORITHM_ALL_REDUCE=leaders", "all-reduce --ranks 2 --run --seconds 1ms --bytes " + sizes);
    ASSERT_EQ(ran.status, 0) << ran.err;
    if (sizes == "8") {
      EXPECT_THAT(ran.out, HasSubstr("; leaders, which was chosen, was not measured."));
    }
  }
}

TEST(Plan, SaysOfTheNamedAlgorithmWithWhichParametersItWouldBeFaster) {
  const Ran ran =
      plan_with("TUTTI_ALGORITHM_REDUCE=two-tree", "reduce --ranks 64 --cores 64 --transport mpi --bytes 1MiB");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out,
              testing::ContainsRegex("two-tree is what TUTTI_ALGORITHM_REDUCE names; with [0-9]+ segments it is"
                                     "[ \n]predicted[ \n]to[ \n]be .* as with[ \n][0-9]+ segments"));
}

TEST(Plan, CountsMoreBytesAndCoresThanAnIntegerHolds) {
  const Ran ran = plan_with("TUTTI_ALGORITHM_ALL_TO_ALL=ring", "all-to-all --ranks 64 --bytes 128TiB");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::ContainsRegex("PiB sent instead of [0-9.]+EiB"));
  EXPECT_THAT(text("all-reduce --nodes 65536x1 --cores 65536 --bytes 8"), Not(HasSubstr("inf")));
}

TEST(Plan, RefusesSizesBeforeRanksAreStarted) {
  for (const std::string transport : {"processes", "threads"}) {
    const Ran ran = plan("all-to-all --ranks 64 --bytes 1PiB --run --transport " + transport);
    EXPECT_NE(ran.status, 0);
    EXPECT_THAT(ran.err, Not(HasSubstr("rank "))) << "the ranks speak";
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

// One of the ranks prints each new plan, once; a call that is repeated is no new plan.
TEST(Plan, IsExplainedByARunningProgram) {
  for (const std::string transport : {"threads", "processes"}) {
    const Ran ran =
        run_command("/usr/bin/env", words_of("TUTTI_EXPLAIN=1 TUTTI_ALGORITHM_REDUCE=linear " TUTTI_COMMAND
                                             " bench reduce --ranks 3 --bytes 64 --seconds 1ms --transport " +
                                             transport));
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("tutti plans reduce of 8 elements over 3 ranks, root 0 (64B); " +
                                   connecting(transport) + " on "));
    EXPECT_THAT(ran.err, HasSubstr("linear is what TUTTI_ALGORITHM_REDUCE names; "));
  }
  EXPECT_EQ(run_command(TUTTI_COMMAND, words_of("bench reduce --ranks 3 --bytes 64 --seconds 1ms")).err, "");
}

TEST(Plan, SaysWhereASizeIsNoWholeNumberOfDoubles) {
  EXPECT_THAT(run_command(TUTTI_COMMAND, words_of("plan all-reduce --ranks 4 --bytes 9")).out,
              HasSubstr("9B are planned as 1 double"));
  EXPECT_THAT(run_command(TUTTI_COMMAND, words_of("plan all-reduce --ranks 4 --bytes 16")).out,
              testing::Not(HasSubstr("are planned as")));
}

}  // namespace
}  // namespace tutti::test
